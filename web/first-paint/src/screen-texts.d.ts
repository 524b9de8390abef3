declare module 'virtual:screen-texts' {
  import type { FirstPaint } from '@sightline/contract/first-paint'
  import type { SignInLanguage } from '@sightline/contract/sign-in-pages'

  type Texts = Readonly<Record<string, string>>
  const texts: Readonly<Record<FirstPaint['app'], Readonly<Record<SignInLanguage, Texts>>>>
  // biome-ignore lint/style/noDefaultExport: it has the form of an imported JSON file, as the catalogues
  export default texts
}
