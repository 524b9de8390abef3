import type { BrandThemePatch } from '@sightline/contract/resellers'
import { type BrandTheme, brandTheme, providerTheme } from '@sightline/contract/theme'
import { type BrandRow, normalHost, parseTheme } from '@sightline/platform/brands'
import * as z from 'zod/mini'

type StoredTheme = Readonly<Record<string, unknown>>

/** A brand's look: its own values over the provider's. */
export const getEffectiveTheme = (stored: StoredTheme): BrandTheme => parseTheme({ theme: stored })

/** The look of the brand with that host, with or without the standard port; the provider's if no brand has it. */
export async function themeOfHost(
  given: string,
  find: (host: string) => Promise<BrandRow | undefined>,
): Promise<BrandTheme> {
  const host = normalHost(normalHost(given, 'https'), 'http')
  const row = host === undefined ? undefined : await find(host)
  return row === undefined ? providerTheme : parseTheme(row)
}

/** For these, null means no picture. For others, it means the provider's value. */
const NO_PICTURE: ReadonlySet<string> = new Set(['logo', 'favicon'])

/** The new stored value after a change. Colors and links are changed individually, all others as a whole. */
export function appliedTheme(stored: StoredTheme, patch: BrandThemePatch): StoredTheme {
  const { colors, links, ...plain } = patch
  const shown = getEffectiveTheme(stored)
  const next: Record<string, unknown> = { ...stored }
  for (const [name, value] of Object.entries(plain)) {
    if (value === undefined) continue
    if (value === null && !NO_PICTURE.has(name)) delete next[name]
    else next[name] = value
  }
  if (colors !== undefined) next.colors = { ...providerTheme.colors, ...changed({ ...shown.colors }, colors) }
  if (links !== undefined) next.links = changed({ ...shown.links }, links)
  return z.parse(z.partial(brandTheme), next)
}

/** Without null values. */
function changed(
  current: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined)
  const merged = Object.entries({ ...current, ...Object.fromEntries(given) })
  return Object.fromEntries(merged.filter(([, value]) => value !== null))
}
