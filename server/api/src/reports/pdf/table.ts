import type { PdfColumn, Row } from './content.ts'
import { BOTTOM, INNER, LEFT, RIGHT, type Sheet } from './sheet.ts'

const ROW = 16
const GAP = 10
const SIZE = 9
const BAR = 34

interface Placed {
  readonly column: PdfColumn
  readonly x: number
  readonly width: number
}

/** The rows on as many pages as needed, each with the column titles. A day is printed at its first row. */
export function drawTable(sheet: Sheet, columns: readonly PdfColumn[], rows: readonly Row[]): void {
  const places = placed(columns)
  // A title with only one row below it moves to the next page.
  if (sheet.y - BOTTOM < 4 * ROW) sheet.turn()
  drawTitles(sheet, places)
  let day: Row[string] | undefined
  for (const row of rows) {
    if (sheet.y - ROW < BOTTOM) {
      sheet.turn()
      drawTitles(sheet, places)
      day = undefined
    }
    drawRow(sheet, places, { row, isNewDay: row.day !== day })
    day = row.day
  }
}

function placed(columns: readonly PdfColumn[]): readonly Placed[] {
  const shares = columns.reduce((sum, { share }) => sum + share, 0)
  let x = LEFT
  return columns.map((column) => {
    const width = (column.share / shares) * INNER
    const place = { column, x, width: width - GAP }
    x += width
    return place
  })
}

const edgeOf = ({ column, x, width }: Placed) =>
  column.align === 'right' ? ({ x: x + width, align: 'right' } as const) : ({ x, align: 'left' } as const)

function drawTitles(sheet: Sheet, places: readonly Placed[]): void {
  const { page, pen, colours } = sheet
  page.drawRectangle({ x: LEFT - 6, y: sheet.y - 18, width: INNER + 12, height: 20, color: colours.sunken })
  for (const place of places) {
    const at = { y: sheet.y - 11, size: 8.5, colour: colours.text, weight: 'bold' } as const
    pen.write(page, place.column.title, { ...edgeOf(place), ...at, width: place.width })
  }
  sheet.y -= 20
}

function drawRow(sheet: Sheet, places: readonly Placed[], { row, isNewDay }: { row: Row; isNewDay: boolean }): void {
  const { page, pen, colours } = sheet
  const y = sheet.y - 11
  const line = { start: { x: LEFT - 6, y: sheet.y }, end: { x: RIGHT + 6, y: sheet.y } }
  page.drawLine({ ...line, thickness: isNewDay ? 0.8 : 0.3, color: isNewDay ? colours.outline : colours.border })
  places.forEach((place, at) => {
    const { column, x, width } = place
    if (at === 0 && !isNewDay) return
    if (column.bar !== undefined) {
      const track = { x, y: y - 0.5, height: 7 }
      const full = Math.min(BAR, width / 2)
      page.drawRectangle({ ...track, width: full, color: colours.sunken })
      const filled = full * column.bar(row)
      if (filled > 0) page.drawRectangle({ ...track, width: filled, color: colours.primary })
    }
    pen.write(page, column.text(row), { ...edgeOf(place), y, size: SIZE, colour: colours.text, width })
  })
  sheet.y -= ROW
}
