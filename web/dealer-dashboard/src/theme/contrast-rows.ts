import { contrast, createPalette, type Hex, type Palette, type Scheme, type Tone } from '@sightline/contract/theme'

export interface BrandColors {
  readonly primary: Hex
  readonly secondary?: Hex | undefined
}

interface Pair {
  readonly name: 'buttonText' | 'links' | 'controls' | 'secondaryText'
  readonly front: Tone
  readonly behind: Tone
  /** The brand color that `front` is based on, if any. */
  readonly of?: keyof BrandColors
}

const pairs: readonly Pair[] = [
  { name: 'buttonText', front: 'on-primary', behind: 'primary' },
  { name: 'links', front: 'link', behind: 'surface', of: 'primary' },
  { name: 'controls', front: 'control', behind: 'surface', of: 'primary' },
  { name: 'secondaryText', front: 'accent-text', behind: 'surface', of: 'secondary' },
]

/** The result for one pair of colors in one scheme. */
export interface MeasuredContrast {
  readonly ratio: number
  /** The shade that replaces the brand's color if its contrast is too low. */
  readonly adjusted: Hex | undefined
}

export interface ContrastRow {
  readonly name: Pair['name']
  readonly light: MeasuredContrast
  readonly dark: MeasuredContrast
}

function measured(colors: BrandColors, { front, behind, of }: Pair, palette: Palette): MeasuredContrast {
  const isOwn = of === undefined || palette[front] === colors[of]
  return { ratio: contrast(palette[front], palette[behind]), adjusted: isOwn ? undefined : palette[front] }
}

/** The contrast of a brand's colors (WCAG 2.2 §1.4.3, §1.4.11), with the adjusted shades. */
export function contrastRows(colors: BrandColors): readonly ContrastRow[] {
  const palettes: Readonly<Record<Scheme, Palette>> = {
    light: createPalette(colors, 'light'),
    dark: createPalette(colors, 'dark'),
  }
  return pairs
    .filter(({ of }) => of !== 'secondary' || colors.secondary !== undefined)
    .map((pair) => ({
      name: pair.name,
      light: measured(colors, pair, palettes.light),
      dark: measured(colors, pair, palettes.dark),
    }))
}
