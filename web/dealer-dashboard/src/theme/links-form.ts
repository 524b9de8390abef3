import type { BrandThemePatch } from '@sightline/contract/resellers'
import type { BrandTheme } from '@sightline/contract/theme'
import type { Rules } from '@sightline/kit'

/** The links of a brand's footer and of its application switcher, and where its own applications are. */
export const linkFields = [
  'terms',
  'privacyPolicy',
  'cookies',
  'webapp',
  'myaccount',
  'downloadportal',
  'dealerdashboard',
  'windowsApp',
  'macApp',
  'iosApp',
  'androidApp',
] as const
export type LinkField = (typeof linkFields)[number]
export const footerLinks: readonly LinkField[] = linkFields.slice(0, 3)
export const appLinks: readonly LinkField[] = linkFields.slice(3, 7)
export const downloadLinks: readonly LinkField[] = linkFields.slice(7)

export type LinkValues = Readonly<Record<LinkField, string>> & Readonly<Record<string, string>>

export const linkValues = ({ links }: BrandTheme): LinkValues =>
  Object.fromEntries(linkFields.map((field) => [field, links[field] ?? ''])) as LinkValues

const linkProblem = (text: string): string | undefined =>
  text === '' || /^(https?:\/\/[^\s"'<>\\]+|\/(?![/\\])[^\s"'<>\\]*)$/.test(text)
    ? undefined
    : 'Enter an address that starts with https:// or with /'

export const linkRules: Rules<LinkValues> = Object.fromEntries(linkFields.map((field) => [field, linkProblem]))

/** Only the changes; an empty address removes the link. */
export function linkPatch(saved: LinkValues, values: LinkValues): BrandThemePatch {
  const changed = linkFields.filter((field) => saved[field] !== values[field])
  return { links: Object.fromEntries(changed.map((field) => [field, values[field] === '' ? null : values[field]])) }
}
