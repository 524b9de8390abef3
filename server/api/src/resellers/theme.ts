import type { BrandThemePatch } from '@sightline/contract/resellers'
import { type BrandTheme, brandTheme, providerTheme } from '@sightline/contract/theme'
import { type BrandRow, normalHost, parseTheme } from '@sightline/platform/brands'
import * as z from 'zod/mini'

type StoredTheme = Readonly<Record<string, unknown>>

/** What a brand looks like: its own over the provider's. */
export const getEffectiveTheme = (stored: StoredTheme): BrandTheme => parseTheme({ theme: stored })

/** Of the brand that has the host, with or without the standard port; what no brand has looks like the provider. */
export async function themeOfHost(
  given: string,
  find: (host: string) => Promise<BrandRow | undefined>,
): Promise<BrandTheme> {
  const host = normalHost(normalHost(given, 'https'), 'http')
  const row = host === undefined ? undefined : await find(host)
  return row === undefined ? providerTheme : parseTheme(row)
}

/** Null of these is a choice of its own: no picture. Of others it means the provider's. */
const NO_PICTURE: ReadonlySet<string> = new Set(['logo', 'favicon'])

/** What is to be stored after a change. Colours and links are changed one by one, everything else as a whole. */
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

/** Without what is null. */
function changed(
  current: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined)
  const merged = Object.entries({ ...current, ...Object.fromEntries(given) })
  return Object.fromEntries(merged.filter(([, value]) => value !== null))
}
