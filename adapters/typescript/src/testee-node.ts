/** The testee on standard input and output: `node dist/…/testee-node.js`. */

import { answerLine, MAX_LINE, refuseLine } from "./testee.js";

const LINE_FEED = 0x0a;

/** Calls `line` with each line without its end, and `long` once for each that is too long. */
async function eachLine(
  source: AsyncIterable<Uint8Array>,
  line: (line: Uint8Array) => Promise<void>,
  long: () => Promise<void>,
): Promise<void> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  const end = async (): Promise<void> => {
    if (size < MAX_LINE) await line(Buffer.concat(pieces));
    else await long();
    pieces = [];
    size = 0;
  };
  for await (const chunk of source) {
    let start = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, at));
      await end();
      start = at + 1;
    }
    add(chunk.subarray(start));
  }
  if (size > 0) await end();

  function add(piece: Uint8Array): void {
    size += piece.length;
    // The rest of a line that is too long is skipped.
    if (size >= MAX_LINE) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  }
}

function write(text: string): Promise<void> {
  return new Promise((done, fail) => {
    process.stdout.write(`${text}\n`, (error) => (error ? fail(error) : done()));
  });
}

await eachLine(
  process.stdin,
  (line) => write(answerLine(line)),
  () => write(refuseLine()),
);
