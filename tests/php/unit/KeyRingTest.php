<?php

declare(strict_types=1);

namespace Toolresult\Tests;

use PHPUnit\Framework\TestCase;
use Toolresult\Store\Key;
use Toolresult\Store\KeyRing;
use Toolresult\Store\Pointer;
use Toolresult\Store\StoreError;

/**
 * Keys: what is refused, and that no secret is shown. That they are Python's is tested against Python.
 */
final class KeyRingTest extends TestCase
{
    private const SECRET = 'this secret has thirty-two bytes';

    public function testNoDumpShowsASecret(): void
    {
        $ring = new KeyRing([new Key('one', self::SECRET)]);
        $shown = print_r($ring, true) . var_export($ring, true) . json_encode($ring) . print_r((array) $ring, true);
        ob_start();
        var_dump($ring);
        $shown .= ob_get_clean();
        self::assertStringContainsString('one', $shown);
        foreach ([self::SECRET, base64_encode(self::SECRET), bin2hex(self::SECRET)] as $spelling) {
            self::assertStringNotContainsString($spelling, $shown);
        }
        $this->expectExceptionMessage('not allowed');
        serialize($ring);
    }

    public function testNoTraceShowsASecretOrAPrincipal(): void
    {
        $now = new \DateTimeImmutable('2026-07-28T10:00:00Z');
        $ring = new KeyRing([new Key('one', self::SECRET)]);
        $calls = [
            static fn () => new Key('', self::SECRET),
            static fn () => KeyRing::parse(self::SECRET),
            static fn () => KeyRing::parse('id:' . base64_encode(self::SECRET) . '?'),
            static fn () => Pointer::verify('', 'a secret principal', $now, $ring),
            static fn () => (new Pointer(str_repeat('a', 16), 1))->sign("a secret principal\xFF", $ring),
        ];
        $before = ini_set('zend.exception_ignore_args', '0');
        try {
            foreach ($calls as $call) {
                try {
                    $call();
                    self::fail('nothing is refused');
                } catch (StoreError | \InvalidArgumentException $error) {
                    self::assertNotSame([], array_column($error->getTrace(), 'args'));
                    $shown = print_r(array_slice($error->getTrace(), 0, 3), true) . $error->getMessage();
                    self::assertStringNotContainsString('secret p', $shown);
                    self::assertStringNotContainsString(self::SECRET, $shown);
                    self::assertStringNotContainsString(base64_encode(self::SECRET), $shown);
                }
            }
        } finally {
            ini_set('zend.exception_ignore_args', (string) $before);
        }
    }

    public function testAKeyFileIsLoaded(): void
    {
        $file = (string) tempnam(sys_get_temp_dir(), 'keys');
        $log = (string) tempnam(sys_get_temp_dir(), 'log');
        $before = ini_set('error_log', $log);
        try {
            file_put_contents($file, "# of July\n" . (new Key('2026-07', self::SECRET))->line() . "\n");
            self::assertSame(['2026-07'], KeyRing::load($file)->ids());
            self::assertSame('', file_get_contents($log));
            chmod($file, 0o640);
            self::assertSame(self::SECRET, KeyRing::load($file)->signing());
            self::assertStringContainsString("{$file}: key_file_permissions: ", (string) file_get_contents($log));
            foreach (
                [
                    'Line 2: Expected `id:base64`.' => "\nsecret words",
                    'There is no key.' => '# none',
                    'The key file holds other characters than ASCII.' => 'ü',
                    'The key file has more than 65536 bytes.' => str_repeat('#', 65_537),
                ] as $message => $text
            ) {
                file_put_contents($file, $text);
                self::assertStringStartsWith($message, self::refusal($file));
            }
        } finally {
            ini_set('error_log', (string) $before);
            unlink($file);
            unlink($log);
        }
        $message = 'The key file cannot be read (there is no such file).';
        foreach ([$file, "a\0b", 'http://127.0.0.1:9/keys'] as $path) {
            self::assertSame($message, self::refusal($path));
        }
        self::assertSame('The key file cannot be read (it is a folder).', self::refusal(sys_get_temp_dir()));
    }

    private static function refusal(string $path): string
    {
        try {
            KeyRing::load($path);
        } catch (StoreError $error) {
            self::assertSame('invalid_keys', $error->code);
            return $error->getMessage();
        }
        self::fail('it is loaded');
    }
}
