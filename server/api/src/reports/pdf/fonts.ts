import { readFile } from 'node:fs/promises'
import type { PDFDocument, PDFFont } from '@cantoo/pdf-lib'
import * as fontkit from 'fontkit'

export type Weight = 'regular' | 'bold'

/** Noto Sans by script; the first font with a character is used. Names and titles in other scripts are never bold. */
const others = [
  'noto-sans-cyrillic-400',
  'noto-sans-cyrillic-ext-400',
  'noto-sans-greek-400',
  'noto-sans-vietnamese-400',
  'noto-sans-hebrew-400',
  'noto-sans-arabic-400',
  'noto-sans-jp-400',
]
const files: Readonly<Record<Weight, readonly string[]>> = {
  regular: ['noto-sans-latin-400', 'noto-sans-latin-ext-400', ...others],
  bold: ['noto-sans-latin-700', 'noto-sans-latin-ext-700', ...others],
}

interface Face {
  readonly font: PDFFont
  readonly characters: ReadonlySet<number>
}

/** The font of a character: one that has it, otherwise the first, which draws an empty box. */
export type ChooseFont = (codePoint: number, weight: Weight) => PDFFont

/** The document embeds only the characters that it uses. */
export async function openFonts(pdf: PDFDocument): Promise<ChooseFont> {
  pdf.registerFontkit(fontkit)
  const known = new Map<string, Face>()
  for (const file of new Set([...files.regular, ...files.bold])) {
    const font = await pdf.embedFont(await readFile(new URL(`fonts/${file}.woff`, import.meta.url)), { subset: true })
    known.set(file, { font, characters: new Set(font.getCharacterSet()) })
  }
  const facesOf = (weight: Weight): Face[] => files[weight].flatMap((file) => known.get(file) ?? [])
  const faces = { regular: facesOf('regular'), bold: facesOf('bold') }
  return (codePoint, weight) => {
    const found = faces[weight].find(({ characters }) => characters.has(codePoint)) ?? faces[weight][0]
    if (found === undefined) throw new Error(`no font of weight ${weight}`)
    return found.font
  }
}
