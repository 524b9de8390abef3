import { type BrandTheme, providerTheme } from '@sightline/contract/theme'
import { beaconIcon, beaconLogo, beaconLogoDark, harbourIcon, harbourLogo, harbourLogoDark } from './demo-logos.ts'

/** The look of the demonstration's reseller: shows that a brand is data. Seen on its own host (`demo-hosts.ts`). */
export const demoTheme: BrandTheme = {
  ...providerTheme,
  logo: harbourLogo,
  logoDark: harbourLogoDark,
  logoWidth: 172,
  logoHeight: 32,
  companyName: 'Harbour Guard',
  favicon: harbourIcon,
  colors: { primary: '#5b3fd6' },
}

/** The look of the second reseller, under the same distributor. */
export const secondTheme: BrandTheme = {
  ...providerTheme,
  logo: beaconLogo,
  logoDark: beaconLogoDark,
  logoWidth: 150,
  logoHeight: 32,
  companyName: 'Beacon Hill',
  favicon: beaconIcon,
  asksForAgreement: true,
  colors: { primary: '#b3261e', secondary: '#1f4e79' },
  links: {
    ...providerTheme.links,
    terms: '/subscriptionagreement',
    privacyPolicy: '/subscriptionagreement#privacy',
  },
}
