import { PDFDocument, type PDFFont, type PDFPage, rgb } from '@cantoo/pdf-lib'
import { providerTheme } from '@sightline/contract/theme'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildContent, type PrintedType, type Row } from './content.ts'
import { type ChooseFont, openFonts } from './fonts.ts'
import { type PrintOrder, printReport } from './index.ts'
import { getSpeech } from './words.ts'
import { openPen } from './writing.ts'

const order: PrintOrder = {
  type: 'storageUsage',
  from: '2026-07-09',
  till: '2026-07-10',
  timeZone: 'Europe/Amsterdam',
  madeAt: Date.UTC(2026, 6, 10, 12),
  columns: ['day', 'cameraId', 'camera', 'bytes', 'hours'],
  rows: [],
  organisation: 'Shop',
  language: 'de',
  theme: providerTheme,
}
const rowsOf = (many: number) =>
  Array.from({ length: many }, (_, at) => ['2026-07-09', at, `Camera ${at}`, 1_500_000_000, 1.5] as const)

describe('a printed report', () => {
  test('has as many pages as its rows need, a title and an author', async () => {
    const pdf = await PDFDocument.load(await printReport({ ...order, rows: rowsOf(100) }))
    expect([pdf.getPageCount(), pdf.getTitle(), pdf.getAuthor()]).toEqual([3, 'Speicher', 'Sightline'])
    expect(pdf.getPages().map((page) => Math.round(page.getHeight()))).toEqual([842, 842, 842])
  })

  test('has one page without rows', async () => {
    expect((await PDFDocument.load(await printReport(order))).getPageCount()).toBe(1)
  })

  test.each([
    ['a logo', 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='],
    ["something that isn't a picture", 'AAAA'],
  ])("%s in the theme doesn't break it", async (_what, base64) => {
    const theme = { ...providerTheme, logo: `data:image/png;base64,${base64}` }
    expect((await PDFDocument.load(await printReport({ ...order, theme }))).getPageCount()).toBe(1)
  })
})

describe('contents', () => {
  const texts = (type: PrintedType, row: Row, language: string) =>
    buildContent(type, [row], getSpeech(language)).columns.map((column) => column.text(row).replaceAll(/\s/g, ' '))

  test("sizes, times, percentages and days are formatted in the reader's language", () => {
    const camera = { day: '2026-07-09', cameraId: 7, camera: 'Door' }
    expect(texts('storageUsage', { ...camera, bytes: 1_500_000_000, hours: 1.5 }, 'de')).toEqual([
      '9. Juli 2026',
      'Door',
      '1,5 GB',
      '1,5 Std.',
    ])
    const uptime = { ...camera, recordedHours: 12, hours: 24, uptimePercent: 50 }
    expect(texts('cameraUptime', uptime, 'tr').at(-1)).toBe('%50,0')
    expect(texts('cameraUptime', uptime, 'xx').at(-1)).toBe('50.0%')
  })

  test('cameras with the same name and deleted users are shown with their ids', () => {
    const rows: Row[] = [
      { day: '2026-07-09', cameraId: 7, camera: 'Door', bytes: 1, hours: 1 },
      { day: '2026-07-09', cameraId: 8, camera: 'Door', bytes: 1, hours: 1 },
    ]
    const [, name] = buildContent('storageUsage', rows, getSpeech('en')).columns
    expect(rows.map((row) => name?.text(row))).toEqual(['Door (7)', 'Door (8)'])
    const gone = { day: '2026-07-09', userId: 9, user: null, staff: true, total: 1 }
    expect(texts('userActivity', gone, 'en')[1]).toBe('Unknown 9 · support')
  })

  test('camera bars start with the lowest uptime, and day bars with the first day', () => {
    const uptime = (camera: string, recordedHours: number): Row => ({
      cameraId: camera,
      camera,
      recordedHours,
      hours: 10,
    })
    const bars = buildContent('cameraUptime', [uptime('good', 10), uptime('bad', 1)], getSpeech('en')).plot.bars
    expect(bars.map(({ label, text }) => [label, text])).toEqual([
      ['bad', '10.0%'],
      ['good', '100.0%'],
    ])
    const days = ['2026-07-09', '2026-07-09', '2026-07-10'].map((day): Row => ({ day, cameraId: 1, bytes: 1000 }))
    expect(buildContent('storageUsage', days, getSpeech('en')).plot.bars.map(({ text }) => text)).toEqual([
      '2 kB',
      '1 kB',
    ])
  })
})

describe('text', () => {
  let fontOf: ChooseFont
  beforeAll(async () => {
    fontOf = await openFonts(await PDFDocument.create())
  })
  /** What is drawn from left to right. */
  const drawn = (text: string, width?: number) => {
    const parts: [string, PDFFont][] = []
    const page = { drawText: (part: string, { font }: { font: PDFFont }) => parts.push([part, font]) }
    const place = { x: 0, y: 0, size: 10, colour: rgb(0, 0, 0), ...(width === undefined ? {} : { width }) }
    openPen(fontOf).write(page as unknown as PDFPage, text, place)
    return parts
  }

  test.each(['Größe', 'Zażółć', 'Ğıİş', 'Улица', 'Πόρτα', 'Cửa', '正面玄関', 'カメラ', 'مرحبا', 'שלום'])(
    'every character of %s has a glyph',
    (text) => {
      for (const [part, font] of drawn(text)) {
        const characters = new Set(font.getCharacterSet())
        expect([...part].filter((character) => !characters.has(character.codePointAt(0) ?? 0))).toEqual([])
      }
    },
  )

  test('right-to-left parts are drawn in reading order with mirrored brackets', () => {
    const parts = (text: string) => drawn(text).map(([part]) => part)
    expect(parts('Door שלום')).toEqual(['Door ', 'שלום'])
    expect(parts('Door שלום (3)')).toEqual(['Door ', '(', '3', ')', 'שלום '])
    expect(parts('שלום 3 (אב)')).toEqual(['(', 'אב', ') ', '3', 'שלום '])
  })

  test("text that doesn't fit ends with an ellipsis, and control characters become spaces", () => {
    const [[text = ''] = []] = drawn('A name that is much too long', 60)
    expect(text).toMatch(/^A name.*…$/)
    expect(drawn('a\u202Eb\nc')[0]?.[0]).toBe('a b c')
  })
})
