import { describe, expect, it } from 'vitest'
import {
  brandTheme,
  contrast,
  contrastPromises,
  createPalette,
  type Hex,
  providerTheme,
  themeCss,
  tones,
} from './index.ts'

const channel = [0, 15, 30, 45, 60, 75, 90, 105, 120, 135, 150, 165, 180, 195, 210, 225, 240, 255]
const two = (byte: number): string => byte.toString(16).padStart(2, '0')
const grid: readonly Hex[] = channel.flatMap((r) =>
  channel.flatMap((g) => channel.map((b): Hex => `#${two(r)}${two(g)}${two(b)}`)),
)

describe('palette', () => {
  it.each(['light', 'dark'] as const)('%s: keeps every contrast promise for each of 5,832 brand colors', (scheme) => {
    expect(grid).toHaveLength(5832)
    const broken = grid.flatMap((primary, index) => {
      const palette = createPalette({ primary, secondary: grid[(index * 7) % grid.length] }, scheme)
      return contrastPromises()
        .filter(([front, behind, least]) => contrast(palette[front], palette[behind]) < least)
        .map(([front, behind]) => `${primary} ${front} on ${behind}`)
    })
    expect(broken).toEqual([])
  })

  it('keeps the brand color itself as the fill', () => {
    expect(grid.filter((primary) => createPalette({ primary }, 'light').primary !== primary)).toEqual([])
  })

  it('gives every role a value in the style sheet, for light and dark', () => {
    const css = themeCss(providerTheme)
    for (const tone of tones) expect(css.match(new RegExp(`--tone-${tone}:#[0-9a-f]{6};`, 'g'))).toHaveLength(3)
  })
})

describe('brand theme', () => {
  it('accepts the provider theme', () => {
    expect(brandTheme.parse(providerTheme)).toEqual(providerTheme)
  })

  it.each(['javascript:alert(1)', '//evil.example', '/\\evil.example', 'data:text/html,x', 'https://x"y'])(
    'refuses %s as a link',
    (terms) => {
      expect(brandTheme.safeParse({ ...providerTheme, links: { ...providerTheme.links, terms } }).success).toBe(false)
    },
  )

  it.each([
    'http://plain.example/logo.png',
    'javascript:alert(1)',
    'data:text/html,x',
    'data:image/svg+xml,%3Csvg/%3E',
    'data:image/svg+xml;base64,PHN2Zy8+',
    '//evil.example/l.svg',
  ])('refuses %s as a logo', (logo) => {
    for (const field of ['logo', 'logoDark', 'favicon'])
      expect(brandTheme.safeParse({ ...providerTheme, [field]: logo }).success).toBe(false)
  })

  it.each(['red', '#fff', '#12345g', '#123456;}'])('refuses %s as a color', (primary) => {
    expect(brandTheme.safeParse({ ...providerTheme, colors: { primary } }).success).toBe(false)
  })
})
