import type { PDFFont, PDFPage, RGB } from '@cantoo/pdf-lib'
import bidiFactory from 'bidi-js'
import type { ChooseFont, Weight } from './fonts.ts'

/** The position of a line of text: points from the left and from the bottom of the page to its baseline. */
export interface TextPosition {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly colour: RGB
  readonly weight?: Weight
  /** Which end of the text is at `x`. */
  readonly align?: 'left' | 'right' | 'centre'
  /** In points; longer text ends with an ellipsis. */
  readonly width?: number
}

export interface Pen {
  write(page: PDFPage, text: string, place: TextPosition): void
  /** Points. */
  widthOf(text: string, size: number, weight?: Weight): number
}

/** Characters of one font and direction, and their width at size 1. */
interface Run {
  readonly text: string
  readonly font: PDFFont
  readonly width: number
}

interface Line {
  readonly runs: readonly Run[]
  readonly width: number
}

// The package's types describe the wrong module format.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
/** Invisible characters that must not break a page: controls, direction marks, a byte order mark. */
const UNSEEN = /[\p{Cc}\p{Cs}\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]+/gu
const REMEMBERED = 50_000

/** Writes lines in all scripts of the fonts, including right-to-left ones (Unicode UAX #9). */
export function openPen(fontOf: ChooseFont): Pen {
  const known = new Map<string, Line>()
  const lineOf = (text: string, weight: Weight): Line => {
    const key = `${weight}${text}`
    const found = known.get(key)
    if (found !== undefined) return found
    const runs = inOrder(text).flatMap((part) => runsOf(part, weight, fontOf))
    const line = { runs, width: runs.reduce((sum, run) => sum + run.width, 0) }
    if (known.size < REMEMBERED) known.set(key, line)
    return line
  }
  const fitting = (text: string, weight: Weight, width: number): Line => {
    const whole = lineOf(text, weight)
    if (whole.width <= width) return whole
    const characters = [...text]
    let [fits, tooMany] = [0, characters.length]
    while (tooMany - fits > 1) {
      const middle = Math.floor((fits + tooMany) / 2)
      if (lineOf(shortened(characters, middle), weight).width <= width) fits = middle
      else tooMany = middle
    }
    return lineOf(shortened(characters, fits), weight)
  }
  return {
    write(page, text, { x, y, size, colour, weight = 'regular', align = 'left', width }) {
      const plain = seen(text)
      const line = width === undefined ? lineOf(plain, weight) : fitting(plain, weight, width / size)
      const before = { left: 0, centre: 0.5, right: 1 }[align] * line.width * size
      let at = x - before
      for (const run of line.runs) {
        page.drawText(run.text, { x: at, y, size, font: run.font, color: colour })
        at += run.width * size
      }
    },
    widthOf: (text, size, weight = 'regular') => lineOf(seen(text), weight).width * size,
  }
}

const seen = (text: string): string => text.replaceAll(UNSEEN, ' ')
const shortened = (characters: readonly string[], count: number): string =>
  `${characters.slice(0, count).join('').trimEnd()}…`

/** A run of one direction, with its characters in reading order. */
interface Part {
  readonly text: string
  readonly isRightToLeft: boolean
}

/** The runs of a line from left to right. */
function inOrder(text: string): readonly Part[] {
  if (!RIGHT_TO_LEFT.test(text)) return [{ text, isRightToLeft: false }]
  const levels = bidi.getEmbeddingLevels(text)
  const mirrored = bidi.getMirroredCharactersMap(text, levels.levels)
  const parts: { level: number; characters: string[] }[] = []
  for (const index of bidi.getReorderedIndices(text, levels)) {
    const level = levels.levels[index] ?? 0
    const character = mirrored.get(index) ?? text.charAt(index)
    const last = parts.at(-1)
    if (last?.level === level) last.characters.push(character)
    else parts.push({ level, characters: [character] })
  }
  return parts.map(({ level, characters }) => {
    const isRightToLeft = level % 2 === 1
    return { text: (isRightToLeft ? characters.reverse() : characters).join(''), isRightToLeft }
  })
}

function runsOf({ text, isRightToLeft }: Part, weight: Weight, fontOf: ChooseFont): Run[] {
  const parts: { font: PDFFont; text: string }[] = []
  for (const character of text) {
    const last = parts.at(-1)
    // A combining mark belongs to the letter before it, a space to the words around it.
    const joined = /[\p{M}\s]/u.test(character) ? last?.font : undefined
    const font = joined ?? fontOf(character.codePointAt(0) ?? 0, weight)
    if (last !== undefined && last.font === font) last.text += character
    else parts.push({ font, text: character })
  }
  const runs = parts.map((part) => ({ ...part, width: part.font.widthOfTextAtSize(part.text, 1) }))
  if (!isRightToLeft) return runs
  // The font reverses right-to-left letters itself, but not the punctuation between them.
  const turned = (run: Run): Run =>
    RIGHT_TO_LEFT.test(run.text) ? run : { ...run, text: [...run.text].reverse().join('') }
  return runs.map(turned).reverse()
}
