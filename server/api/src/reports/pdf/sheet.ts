import { type PDFDocument, type PDFPage, type RGB, rgb } from '@cantoo/pdf-lib'
import type { Palette, Tone } from '@sightline/contract/theme'
import type { Pen } from './writing.ts'

/** A4 in points. */
export const PAGE = { width: 595.28, height: 841.89 } as const
const MARGIN = 48
export const LEFT = MARGIN
export const RIGHT = PAGE.width - MARGIN
export const INNER = RIGHT - LEFT
/** The footer is below this line. */
export const BOTTOM = 56

type Colours = Readonly<Record<Tone, RGB>>

/** The position of the next element: the page, and the distance from its bottom. */
export interface Sheet {
  readonly pen: Pen
  readonly colours: Colours
  page: PDFPage
  y: number
  turn(): void
}

export function newSheet(pdf: PDFDocument, pen: Pen, colours: Colours): Sheet {
  const size: [number, number] = [PAGE.width, PAGE.height]
  const sheet: Sheet = {
    pen,
    colours,
    page: pdf.addPage(size),
    y: PAGE.height - MARGIN,
    turn() {
      sheet.page = pdf.addPage(size)
      sheet.y = PAGE.height - MARGIN
    },
  }
  return sheet
}

export const toColours = (palette: Palette): Colours =>
  Object.fromEntries(Object.entries(palette).map(([tone, hex]) => [tone, colourOf(hex)])) as Colours

function colourOf(hex: string): RGB {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
  return rgb(red, green, blue)
}
