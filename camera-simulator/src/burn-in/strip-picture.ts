import { blankGlyph, getGlyph, glyphCount, glyphHeight, glyphWidth, isDotSet } from './font.ts'
import { CELLS, counterCells } from './frame-counter.ts'

/** Size of the strip in macroblocks. Rows are 2 (one of text, one of cells) or 4 (two and two, glyphs twice as large). */
export interface StripSize {
  readonly columns: number
  readonly rows: 2 | 4
}

/**
 * The content of one macroblock of the strip; two blocks with the same number look the same. 0 is all black, 1 all
 * white.
 */
export type BlockId = number

const BLACK_BLOCK: BlockId = 0
const WHITE_BLOCK: BlockId = 1
const FIRST_GLYPH_BLOCK = 2

/** Limited range, as the clips are. */
const BLACK = 16
const WHITE = 235
const NEUTRAL_CHROMA = 128
const MACROBLOCK = 16
const LUMA_BYTES = 256
/** Samples of a 4:2:0 macroblock: 256 of luma, then twice 64 of chroma, in the order of I_PCM (ITU-T H.264 §7.3.5). */
const BLOCK_BYTES = 384

/** A strip fits a clip when the barcode's cells are whole macroblocks. Undefined when it does not. */
export function chooseStripSize(columns: number, macroblocks: number): StripSize | undefined {
  if (columns % CELLS !== 0 || macroblocks % columns !== 0) return undefined
  const rows = macroblocks / columns
  return rows === 2 || rows === 4 ? { columns, rows } : undefined
}

// In a strip of two rows a macroblock has two glyphs next to each other; in one of four it has the upper or lower half
// of one.
function textBlock(glyphs: readonly number[], column: number, row: number, size: StripSize): BlockId {
  const blank = (glyph: number | undefined) => glyph === undefined || glyph === blankGlyph
  if (size.rows === 2) {
    const [left, right] = [glyphs[column * 2], glyphs[column * 2 + 1]]
    if (blank(left) && blank(right)) return BLACK_BLOCK
    return FIRST_GLYPH_BLOCK + (left ?? blankGlyph) * glyphCount + (right ?? blankGlyph)
  }
  const glyph = glyphs[column]
  return blank(glyph) ? BLACK_BLOCK : FIRST_GLYPH_BLOCK + (glyph ?? blankGlyph) * 2 + row
}

/** Fills `blocks` (columns × rows, row by row) with what the strip shows. Text that does not fit is cut off. */
export function composeStrip(size: StripSize, content: { text: string; counter: number }, blocks: Int32Array): void {
  const glyphs = Array.from(content.text, getGlyph)
  const cells = counterCells(content.counter)
  const half = size.rows / 2
  const columnsPerCell = size.columns / CELLS
  for (let row = 0; row < size.rows; row += 1) {
    for (let column = 0; column < size.columns; column += 1) {
      const cell = cells[Math.floor(column / columnsPerCell)] === 1 ? WHITE_BLOCK : BLACK_BLOCK
      blocks[row * size.columns + column] = row < half ? textBlock(glyphs, column, row, size) : cell
    }
  }
}

/** Is every sample of the block the same? */
export const isFlat = (block: BlockId): boolean => block === BLACK_BLOCK || block === WHITE_BLOCK

/** Right column of a block. The glyphs' margins make it black in each block that is not all white. */
export const getRightEdge = (block: BlockId): BlockId => (block === WHITE_BLOCK ? WHITE_BLOCK : BLACK_BLOCK)

/** Lowest line of a block; undefined if it is neither all black nor all white. */
export function getLowerEdge(block: BlockId, size: StripSize): BlockId | undefined {
  if (isFlat(block)) return block
  const isUpperHalf = size.rows === 4 && (block - FIRST_GLYPH_BLOCK) % 2 === 0
  return isUpperHalf ? undefined : BLACK_BLOCK
}

function dotOf(block: BlockId, size: StripSize, x: number, y: number): boolean {
  if (isFlat(block)) return block === WHITE_BLOCK
  const code = block - FIRST_GLYPH_BLOCK
  if (size.rows === 2) {
    const glyph = x < glyphWidth ? Math.floor(code / glyphCount) : code % glyphCount
    return isDotSet(glyph, x % glyphWidth, y)
  }
  return isDotSet(code >> 1, x >> 1, (y + (code % 2) * glyphHeight) >> 1)
}

/** The samples of a block, ready for I_PCM. */
export function paintBlock(block: BlockId, size: StripSize): Uint8Array {
  const samples = new Uint8Array(BLOCK_BYTES).fill(NEUTRAL_CHROMA, LUMA_BYTES)
  for (let y = 0; y < MACROBLOCK; y += 1) {
    for (let x = 0; x < MACROBLOCK; x += 1) samples[y * MACROBLOCK + x] = dotOf(block, size, x, y) ? WHITE : BLACK
  }
  return samples
}
