/** Drawn for the strip: five by seven dots, rows from the top, five bits each, most significant to the left. A table, read it as such. */
const DOTS: Readonly<Record<string, readonly number[]>> = {
  ' ': [0, 0, 0, 0, 0, 0, 0],
  '#': [0b0_1010, 0b0_1010, 0b1_1111, 0b0_1010, 0b1_1111, 0b0_1010, 0b0_1010],
  '-': [0, 0, 0, 0b1_1111, 0, 0, 0],
  '.': [0, 0, 0, 0, 0, 0b0_1100, 0b0_1100],
  '/': [0b0_0001, 0b0_0001, 0b0_0010, 0b0_0100, 0b0_1000, 0b1_0000, 0b1_0000],
  ':': [0, 0b0_1100, 0b0_1100, 0, 0b0_1100, 0b0_1100, 0],
  '?': [0b0_1110, 0b1_0001, 0b0_0001, 0b0_0010, 0b0_0100, 0, 0b0_0100],
  _: [0, 0, 0, 0, 0, 0, 0b1_1111],
  '0': [0b0_1110, 0b1_0001, 0b1_0011, 0b1_0101, 0b1_1001, 0b1_0001, 0b0_1110],
  '1': [0b0_0100, 0b0_1100, 0b0_0100, 0b0_0100, 0b0_0100, 0b0_0100, 0b0_1110],
  '2': [0b0_1110, 0b1_0001, 0b0_0001, 0b0_0010, 0b0_0100, 0b0_1000, 0b1_1111],
  '3': [0b1_1111, 0b0_0010, 0b0_0100, 0b0_0010, 0b0_0001, 0b1_0001, 0b0_1110],
  '4': [0b0_0010, 0b0_0110, 0b0_1010, 0b1_0010, 0b1_1111, 0b0_0010, 0b0_0010],
  '5': [0b1_1111, 0b1_0000, 0b1_1110, 0b0_0001, 0b0_0001, 0b1_0001, 0b0_1110],
  '6': [0b0_0110, 0b0_1000, 0b1_0000, 0b1_1110, 0b1_0001, 0b1_0001, 0b0_1110],
  '7': [0b1_1111, 0b0_0001, 0b0_0010, 0b0_0100, 0b0_1000, 0b0_1000, 0b0_1000],
  '8': [0b0_1110, 0b1_0001, 0b1_0001, 0b0_1110, 0b1_0001, 0b1_0001, 0b0_1110],
  '9': [0b0_1110, 0b1_0001, 0b1_0001, 0b0_1111, 0b0_0001, 0b0_0010, 0b0_1100],
  A: [0b0_1110, 0b1_0001, 0b1_0001, 0b1_1111, 0b1_0001, 0b1_0001, 0b1_0001],
  B: [0b1_1110, 0b1_0001, 0b1_0001, 0b1_1110, 0b1_0001, 0b1_0001, 0b1_1110],
  C: [0b0_1110, 0b1_0001, 0b1_0000, 0b1_0000, 0b1_0000, 0b1_0001, 0b0_1110],
  D: [0b1_1100, 0b1_0010, 0b1_0001, 0b1_0001, 0b1_0001, 0b1_0010, 0b1_1100],
  E: [0b1_1111, 0b1_0000, 0b1_0000, 0b1_1110, 0b1_0000, 0b1_0000, 0b1_1111],
  F: [0b1_1111, 0b1_0000, 0b1_0000, 0b1_1110, 0b1_0000, 0b1_0000, 0b1_0000],
  G: [0b0_1110, 0b1_0001, 0b1_0000, 0b1_0111, 0b1_0001, 0b1_0001, 0b0_1111],
  H: [0b1_0001, 0b1_0001, 0b1_0001, 0b1_1111, 0b1_0001, 0b1_0001, 0b1_0001],
  I: [0b0_1110, 0b0_0100, 0b0_0100, 0b0_0100, 0b0_0100, 0b0_0100, 0b0_1110],
  J: [0b0_0111, 0b0_0010, 0b0_0010, 0b0_0010, 0b0_0010, 0b1_0010, 0b0_1100],
  K: [0b1_0001, 0b1_0010, 0b1_0100, 0b1_1000, 0b1_0100, 0b1_0010, 0b1_0001],
  L: [0b1_0000, 0b1_0000, 0b1_0000, 0b1_0000, 0b1_0000, 0b1_0000, 0b1_1111],
  M: [0b1_0001, 0b1_1011, 0b1_0101, 0b1_0101, 0b1_0001, 0b1_0001, 0b1_0001],
  N: [0b1_0001, 0b1_0001, 0b1_1001, 0b1_0101, 0b1_0011, 0b1_0001, 0b1_0001],
  O: [0b0_1110, 0b1_0001, 0b1_0001, 0b1_0001, 0b1_0001, 0b1_0001, 0b0_1110],
  P: [0b1_1110, 0b1_0001, 0b1_0001, 0b1_1110, 0b1_0000, 0b1_0000, 0b1_0000],
  Q: [0b0_1110, 0b1_0001, 0b1_0001, 0b1_0001, 0b1_0101, 0b1_0010, 0b0_1101],
  R: [0b1_1110, 0b1_0001, 0b1_0001, 0b1_1110, 0b1_0100, 0b1_0010, 0b1_0001],
  S: [0b0_1111, 0b1_0000, 0b1_0000, 0b0_1110, 0b0_0001, 0b0_0001, 0b1_1110],
  T: [0b1_1111, 0b0_0100, 0b0_0100, 0b0_0100, 0b0_0100, 0b0_0100, 0b0_0100],
  U: [0b1_0001, 0b1_0001, 0b1_0001, 0b1_0001, 0b1_0001, 0b1_0001, 0b0_1110],
  V: [0b1_0001, 0b1_0001, 0b1_0001, 0b1_0001, 0b1_0001, 0b0_1010, 0b0_0100],
  W: [0b1_0001, 0b1_0001, 0b1_0001, 0b1_0101, 0b1_0101, 0b1_0101, 0b0_1010],
  X: [0b1_0001, 0b1_0001, 0b0_1010, 0b0_0100, 0b0_1010, 0b1_0001, 0b1_0001],
  Y: [0b1_0001, 0b1_0001, 0b1_0001, 0b0_1010, 0b0_0100, 0b0_0100, 0b0_0100],
  Z: [0b1_1111, 0b0_0001, 0b0_0010, 0b0_0100, 0b0_1000, 0b1_0000, 0b1_1111],
}

const CHARACTERS = Object.keys(DOTS)
const SPACE = CHARACTERS.indexOf(' ')
const UNKNOWN = CHARACTERS.indexOf('?')

/** How many different glyphs there are; a glyph is a number below it. */
export const glyphCount = CHARACTERS.length

/** The glyph that is all background. */
export const blankGlyph = SPACE

/** Glyph of one character: letters lose their case, whatever is not drawn becomes a question mark. */
export function getGlyph(character: string): number {
  const found = CHARACTERS.indexOf(character.toUpperCase())
  return found === -1 ? UNKNOWN : found
}

/** Width and height of a glyph with its margins, in dots at scale 1. */
export const glyphWidth = 8
export const glyphHeight = 16

/**
 * Is the dot set? `x` below {@link glyphWidth}, `y` below {@link glyphHeight}. Each dot is one wide and two high, with a
 * margin of one dot on the left, above and below and two on the right, so the edges of a glyph are always background.
 */
export function isDotSet(glyph: number, x: number, y: number): boolean {
  if (x < 1 || x > 5 || y < 1 || y > 14) return false
  const row = DOTS[CHARACTERS[glyph] ?? ' ']?.[(y - 1) >> 1] ?? 0
  return ((row >> (5 - x)) & 1) === 1
}
