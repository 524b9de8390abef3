import { type BrandTheme, providerTheme } from '@sightline/contract/theme'

/** The mark alone, for the tab of a browser. */
const picture = (shapes: string) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${shapes}</svg>`,
  )}`

// The name has a length of its own: the font is whichever the reader's system has, and none may cut it off.
const logo = (ink: string) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" width="172" height="32" viewBox="0 0 172 32"><path d="M16 2 29 7v9c0 7-5.500 11.500-13 14C8.500 27.500 3 23 3 16V7Z" fill="#5b3fd6"/><path d="m9.500 16 4.500 4.500 8.500-9" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/><text x="38" y="22.500" font-family="system-ui,-apple-system,Segoe UI,Roboto,sans-serif" font-size="18" font-weight="650" textLength="130" lengthAdjust="spacingAndGlyphs" fill="${ink}">Harbour Guard</text></svg>`,
  )}`

/** The look of the demonstration's reseller: shows that a brand is data. Seen on its own host (`demo-hosts.ts`). */
export const demoTheme: BrandTheme = {
  ...providerTheme,
  logo: logo('#1b1633'),
  logoDark: logo('#f3f1fb'),
  logoWidth: 172,
  logoHeight: 32,
  companyName: 'Harbour Guard',
  favicon: picture(
    '<path d="M16 2 29 7v9c0 7-5.500 11.500-13 14C8.500 27.500 3 23 3 16V7Z" fill="#5b3fd6"/><path d="m9.500 16 4.500 4.500 8.500-9" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>',
  ),
  colors: { primary: '#5b3fd6' },
}

const lamp = (ink: string) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" width="150" height="32" viewBox="0 0 150 32"><path d="M12 28h8l-1.500-14h-5Z" fill="#b3261e"/><path d="M12.500 12h7L16 5Z" fill="#b3261e"/><path d="M22 9l8-3M22 11.500l8 2M10 9 2 6M10 11.500l-8 2" stroke="#b3261e" stroke-width="2" stroke-linecap="round"/><text x="38" y="22.500" font-family="system-ui,-apple-system,Segoe UI,Roboto,sans-serif" font-size="18" font-weight="650" letter-spacing="-.3" fill="${ink}">Beacon Hill</text></svg>`,
  )}`

/** The look of the second reseller, under the same distributor. */
export const secondTheme: BrandTheme = {
  ...providerTheme,
  logo: lamp('#2b1512'),
  logoDark: lamp('#fbf1f0'),
  logoWidth: 150,
  logoHeight: 32,
  companyName: 'Beacon Hill',
  favicon: picture(
    '<rect width="32" height="32" rx="7" fill="#b3261e"/><path d="M12.500 27h7l-1.300-12h-4.400Zm.500-14h6L16 6Z" fill="#fff"/><path d="M22 10l5-2M22 13l5 1M10 10 5 8M10 13l-5 1" stroke="#fff" stroke-width="2" stroke-linecap="round"/>',
  ),
  asksForAgreement: true,
  colors: { primary: '#b3261e', secondary: '#1f4e79' },
  links: {
    ...providerTheme.links,
    terms: '/subscriptionagreement',
    privacyPolicy: '/subscriptionagreement#privacy',
  },
}
