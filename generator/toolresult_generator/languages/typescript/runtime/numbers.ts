/** Numbers as text: the format of ECMAScript for doubles, every digit for integers. */

/** The longest integer, in decimal digits; converting it costs more than linear time. */
export const MAX_DIGITS = 1_000_000;

/** Integral numbers below this are written without an exponent. */
const INTEGRAL_BELOW = 1e21;
/** Hexadecimal digits that certainly are more than {@link MAX_DIGITS} decimal ones. */
const MAX_HEX = 830_484;

/** What is said of an integer of more than a million digits. */
export const TOO_MANY_DIGITS = "an integer may have at most 1,000,000 digits; send it as a string";

/**
 * The number that a value is: an integral double below 1e21 is the integer of just its digits, so
 * that beyond the safe ones it becomes a bigint; `-0` is 0; a bigint that is safe is a number.
 */
export function settle(value: number | bigint): number | bigint {
  if (typeof value === "bigint") {
    const double = Number(value);
    return Number.isSafeInteger(double) ? double : value;
  }
  if (!Number.isInteger(value)) return value;
  if (Number.isSafeInteger(value)) return value + 0; // -0 + 0 is 0
  return Math.abs(value) < INTEGRAL_BELOW ? BigInt(value) : value;
}

/** The canonical text of a finite number; undefined for what has none. */
export function numberText(value: number | bigint): string | undefined {
  if (typeof value === "bigint") return bigintText(value);
  if (value - value !== 0) return undefined; // NaN or infinite
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < INTEGRAL_BELOW) {
    return BigInt(value).toString();
  }
  return String(value);
}

function bigintText(value: bigint): string | undefined {
  // Hexadecimal takes linear time: a look before the conversion that does not.
  if (value > SHORT || value < -SHORT) {
    if (value.toString(16).length > MAX_HEX) return undefined;
  }
  const text = value.toString();
  return text.length - (value < 0n ? 1 : 0) > MAX_DIGITS ? undefined : text;
}

const SHORT = 1n << 64n;

/** The integer that a text of digits (perhaps with a minus) shows; undefined if it is too long. */
export function integerOf(text: string): number | bigint | undefined {
  if (text.length < 16) return Number(text) + 0;
  const digits = text.length - (text.startsWith("-") ? 1 : 0);
  if (digits > MAX_DIGITS) return undefined;
  const double = Number(text);
  return Number.isSafeInteger(double) ? double : BigInt(text);
}
