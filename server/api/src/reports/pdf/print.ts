import { PDFDocument, type PDFImage } from '@cantoo/pdf-lib'
import { type BrandTheme, createPalette } from '@sightline/contract/theme'
import { buildContent, type PdfFigure, type PrintedType, type Row } from './content.ts'
import { openFonts } from './fonts.ts'
import { drawPlot } from './plot.ts'
import { INNER, LEFT, newSheet, PAGE, RIGHT, type Sheet, toColours } from './sheet.ts'
import { drawTable } from './table.ts'
import { getSpeech, type Speech } from './words.ts'
import { openPen } from './writing.ts'

/** The content and its reader. */
export interface PrintOrder {
  readonly type: PrintedType
  /** Days, `yyyy-mm-dd`, both included. */
  readonly from: string
  readonly till: string
  readonly timeZone: string
  /** Milliseconds since 1970. */
  readonly madeAt: number
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | boolean | null)[])[]
  /** The name of the account or of the reseller. */
  readonly organisation: string
  /** The reader's language. */
  readonly language: string
  readonly theme: Pick<BrandTheme, 'logo' | 'logoWidth' | 'logoHeight' | 'companyName' | 'colors'>
}

/** A report as an A4 PDF in the brand's look and the reader's language: totals, a plot, and the table. */
export async function print(order: PrintOrder): Promise<Uint8Array> {
  const { type, theme, organisation } = order
  const speech = getSpeech(order.language)
  const pdf = await PDFDocument.create({ updateMetadata: false })
  const pen = openPen(await openFonts(pdf))
  const sheet = newSheet(pdf, pen, toColours(createPalette(theme.colors, 'light')))
  const title = speech.words.titles[type]
  const rows = order.rows.map(
    (cells): Row => Object.fromEntries(order.columns.map((name, at) => [name, cells[at] ?? null])),
  )
  const content = buildContent(type, rows, speech)
  drawBrand(sheet, theme, await logoOf(pdf, theme))
  drawHead(sheet, { title, organisation, facts: factsOf(order, speech) })
  if (rows.length === 0) {
    sheet.pen.write(sheet.page, speech.words.nothing, {
      x: LEFT,
      y: sheet.y - 12,
      size: 11,
      colour: sheet.colours.muted,
    })
  } else {
    drawFigures(sheet, content.figures)
    drawPlot(sheet, content.plot)
    drawTable(sheet, content.columns, rows)
  }
  drawFeet(pdf, sheet, [theme.companyName, organisation, title].join(' · '))
  pdf.setTitle(title, { showInWindowTitleBar: true })
  pdf.setAuthor(theme.companyName)
  pdf.setLanguage(speech.language)
  pdf.setCreationDate(new Date(order.madeAt))
  return pdf.save()
}

const factsOf = ({ from, till, timeZone, madeAt }: PrintOrder, speech: Speech): readonly PdfFigure[] => [
  { name: speech.words.period, text: from === till ? speech.day(from) : `${speech.day(from)} – ${speech.day(till)}` },
  { name: speech.words.timeZone, text: timeZone.replaceAll('_', ' ') },
  { name: speech.words.madeAt, text: speech.moment(new Date(madeAt), timeZone) },
]

/** Only an embedded PNG of the theme: nothing is downloaded, and SVG isn't rendered. */
async function logoOf(pdf: PDFDocument, { logo }: PrintOrder['theme']): Promise<PDFImage | undefined> {
  const [, base64] = /^data:image\/png;base64,([A-Za-z0-9+/]+={0,2})$/.exec(logo ?? '') ?? []
  if (base64 === undefined) return undefined
  try {
    return await pdf.embedPng(Buffer.from(base64, 'base64'))
  } catch {
    // If the picture is invalid, the company name is used; the brand sees the problem in the apps.
    return undefined
  }
}

const PT_PER_PX = 0.75

function drawBrand(sheet: Sheet, theme: PrintOrder['theme'], logo: PDFImage | undefined): void {
  const { page, pen, colours } = sheet
  page.drawRectangle({ x: 0, y: PAGE.height - 6, width: PAGE.width, height: 6, color: colours.primary })
  const height = Math.min(theme.logoHeight * PT_PER_PX, 36)
  const top = PAGE.height - 36
  if (logo === undefined) {
    pen.write(page, theme.companyName, {
      x: LEFT,
      y: top - 18,
      size: 14,
      colour: colours.link,
      weight: 'bold',
      width: INNER,
    })
  } else {
    const scale = Math.min(height / logo.height, INNER / 2 / logo.width)
    const [width, drawn] = [logo.width * scale, logo.height * scale]
    page.drawImage(logo, { x: LEFT, y: top - (36 + drawn) / 2 + 6, width, height: drawn })
  }
  sheet.y = top - 36
}

function drawHead(
  sheet: Sheet,
  { title, organisation, facts }: { title: string; organisation: string; facts: readonly PdfFigure[] },
): void {
  const { page, pen, colours } = sheet
  pen.write(page, title, { x: LEFT, y: sheet.y - 26, size: 24, colour: colours.text, weight: 'bold', width: INNER })
  pen.write(page, organisation, { x: LEFT, y: sheet.y - 46, size: 12, colour: colours.muted, width: INNER })
  sheet.y -= 70
  const step = INNER / facts.length
  facts.forEach(({ name, text }, at) => {
    const x = LEFT + at * step
    pen.write(page, name, { x, y: sheet.y - 8, size: 8, colour: colours.muted, width: step - 8 })
    pen.write(page, text, { x, y: sheet.y - 22, size: 10, colour: colours.text, width: step - 8 })
  })
  sheet.y -= 42
}

function drawFigures(sheet: Sheet, figures: readonly PdfFigure[]): void {
  const { page, pen, colours } = sheet
  const gap = 12
  const width = (INNER - gap * (figures.length - 1)) / figures.length
  figures.forEach(({ name, text }, at) => {
    const x = LEFT + at * (width + gap)
    page.drawRectangle({ x, y: sheet.y - 54, width, height: 54, color: colours.sunken })
    page.drawRectangle({ x, y: sheet.y - 54, width: 3, height: 54, color: colours.primary })
    pen.write(page, text, {
      x: x + 14,
      y: sheet.y - 27,
      size: 18,
      colour: colours.text,
      weight: 'bold',
      width: width - 24,
    })
    pen.write(page, name, { x: x + 14, y: sheet.y - 43, size: 8.5, colour: colours.muted, width: width - 24 })
  })
  sheet.y -= 82
}

function drawFeet(pdf: PDFDocument, { pen, colours }: Sheet, text: string): void {
  const pages = pdf.getPages()
  pages.forEach((page, at) => {
    page.drawLine({ start: { x: LEFT, y: 42 }, end: { x: RIGHT, y: 42 }, thickness: 0.5, color: colours.border })
    pen.write(page, text, { x: LEFT, y: 28, size: 8, colour: colours.muted, width: INNER - 60 })
    pen.write(page, `${at + 1} / ${pages.length}`, { x: RIGHT, y: 28, size: 8, colour: colours.muted, align: 'right' })
  })
}
