import type { Plot } from './content.ts'
import { INNER, LEFT, RIGHT, type Sheet } from './sheet.ts'

const DAYS_HEIGHT = 120
const AXIS_WIDTH = 52
/** Points that a day's label needs. */
const LABEL_WIDTH = 34
const THING_HEIGHT = 17
const THING_NAME = 150
const THING_VALUE = 56

/** The bars with their title, from the sheet's position downwards. */
export function drawPlot(sheet: Sheet, plot: Plot): void {
  const { page, pen, colours } = sheet
  pen.write(page, plot.title, {
    x: LEFT,
    y: sheet.y - 10,
    size: 11,
    colour: colours.text,
    weight: 'bold',
    width: INNER,
  })
  sheet.y -= 26
  if (plot.kind === 'days') drawDays(sheet, plot)
  else drawThings(sheet, plot)
  sheet.y -= 18
}

function drawDays(sheet: Sheet, plot: Plot): void {
  const { page, pen, colours } = sheet
  const base = sheet.y - DAYS_HEIGHT
  for (const share of [0, 0.5, 1]) {
    const y = base + share * (DAYS_HEIGHT - 12)
    page.drawLine({ start: { x: LEFT + AXIS_WIDTH, y }, end: { x: RIGHT, y }, thickness: 0.5, color: colours.border })
    const at = { x: LEFT + AXIS_WIDTH - 6, y: y - 3, size: 8, colour: colours.muted, align: 'right' } as const
    // Half an action doesn't exist.
    if (share !== 0.5 || plot.text(plot.most / 2) !== plot.text(plot.most))
      pen.write(page, plot.text(plot.most * share), at)
  }
  const step = (INNER - AXIS_WIDTH) / plot.bars.length
  const width = Math.min(step * 0.7, 36)
  const every = Math.ceil((plot.bars.length * LABEL_WIDTH) / (INNER - AXIS_WIDTH))
  plot.bars.forEach(({ label, value, text }, at) => {
    const middle = LEFT + AXIS_WIDTH + (at + 0.5) * step
    const height = (value / plot.most) * (DAYS_HEIGHT - 12)
    if (height > 0) page.drawRectangle({ x: middle - width / 2, y: base, width, height, color: colours.primary })
    const small = { x: middle, size: 8, colour: colours.muted, align: 'centre' } as const
    if (at % every === 0) pen.write(page, label, { ...small, y: base - 13 })
    if (step >= 46 && value > 0) pen.write(page, text, { ...small, y: base + height + 4, colour: colours.text })
  })
  sheet.y = base - 18
}

function drawThings(sheet: Sheet, plot: Plot): void {
  const { page, pen, colours } = sheet
  const track = INNER - THING_NAME - THING_VALUE
  for (const { label, value, text } of plot.bars) {
    const y = sheet.y - 10
    const bar = { x: LEFT + THING_NAME, y: y - 1, height: 8 }
    pen.write(page, label, { x: LEFT, y, size: 9, colour: colours.text, width: THING_NAME - 12 })
    page.drawRectangle({ ...bar, width: track, color: colours.sunken })
    if (value > 0) page.drawRectangle({ ...bar, width: (value / plot.most) * track, color: colours.primary })
    pen.write(page, text, { x: RIGHT, y, size: 9, colour: colours.text, align: 'right' })
    sheet.y -= THING_HEIGHT
  }
}
