import type { BrandThemePatch } from '@sightline/contract/resellers'
import { type BrandTheme, brandColour, type Hex } from '@sightline/contract/theme'
import { companyProblem } from '@sightline/contract/user-details'
import type { Rules } from '@sightline/kit'
import * as z from 'zod/mini'

/** The form values of a brand. Pictures are data or URLs; empty for none. */
export interface LookValues {
  readonly [field: string]: string
  readonly companyName: string
  readonly logo: string
  readonly logoDark: string
  readonly favicon: string
  /** CSS pixels. */
  readonly logoWidth: string
  readonly logoHeight: string
  readonly primary: string
  readonly secondary: string
}

export const lookFields = ['companyName', 'logo', 'logoDark', 'favicon', 'primary', 'secondary'] as const

export const lookValues = (theme: BrandTheme): LookValues => ({
  companyName: theme.companyName,
  logo: theme.logo ?? '',
  logoDark: theme.logoDark ?? '',
  favicon: theme.favicon ?? '',
  logoWidth: String(theme.logoWidth),
  logoHeight: String(theme.logoHeight),
  primary: theme.colors.primary,
  secondary: theme.colors.secondary ?? '',
})

const NOT_A_COLOR = 'Enter a color as # and six digits, such as #0b6e6e'

/** A typed color; undefined while it is invalid. */
export function parseColor(text: string): Hex | undefined {
  const parsed = z.safeParse(brandColour, text.trim())
  return parsed.success ? parsed.data : undefined
}

export const lookRules: Rules<LookValues> = {
  companyName: (text) => (text.trim() === '' ? 'Name is required' : companyProblem(text)),
  primary: (text) => (parseColor(text) === undefined ? NOT_A_COLOR : undefined),
  secondary: (text) => (text === '' || parseColor(text) !== undefined ? undefined : NOT_A_COLOR),
}

const orNone = (text: string): string | null => (text === '' ? null : text)

/** Only the changes. */
export function lookPatch(saved: LookValues, values: LookValues): BrandThemePatch {
  const changed = <Value>(field: keyof LookValues, value: Value): Value | undefined =>
    saved[field] === values[field] ? undefined : value
  const colors = {
    primary: changed('primary', parseColor(values.primary)),
    secondary: changed('secondary', parseColor(values.secondary) ?? null),
  }
  const patch = {
    companyName: changed('companyName', values.companyName.trim()),
    logo: changed('logo', orNone(values.logo)),
    logoDark: changed('logoDark', orNone(values.logoDark)),
    favicon: changed('favicon', orNone(values.favicon)),
    logoWidth: changed('logoWidth', Number(values.logoWidth)),
    logoHeight: changed('logoHeight', Number(values.logoHeight)),
    colors: given(colors),
  }
  return { ...given(patch) }
}

/** Removes undefined values; undefined if none are left. */
function given<Fields extends object>(
  fields: Fields,
): { [K in keyof Fields]?: Exclude<Fields[K], undefined> } | undefined {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  if (entries.length === 0) return undefined
  return Object.fromEntries(entries) as { [K in keyof Fields]?: Exclude<Fields[K], undefined> }
}

const MAX_WIDTH = 400
const HEIGHT = 32

/** The displayed size of a logo: the header's height, limited to the maximum width. */
export function shownSize({ width, height }: { readonly width: number; readonly height: number }) {
  const wanted = Math.round((HEIGHT * width) / height)
  if (wanted <= MAX_WIDTH) return { width: Math.max(1, wanted), height: HEIGHT }
  return { width: MAX_WIDTH, height: Math.max(1, Math.round((MAX_WIDTH * height) / width)) }
}
