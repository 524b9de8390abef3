import type { ErrorPage, SignInLanguage } from '@sightline/contract/sign-in-pages'

/** Everything the pages say, per language. `{…}` is filled in by {@link fill}. */
export interface Texts {
  readonly languageName: string
  readonly privacy: string
  readonly terms: string
  readonly signInTitle: string
  readonly signInTo: string
  readonly email: string
  readonly password: string
  readonly signIn: string
  readonly incorrect: string
  readonly lockedOneMinute: string
  readonly locked: string
  readonly busy: string
  readonly chooseTitle: string
  readonly chooseIntro: string
  readonly continue: string
  readonly errorTitle: string
  readonly errors: Readonly<Record<ErrorPage['kind'], string>>
  readonly reference: string
  readonly backToStart: string
  readonly loggedOutTitle: string
  readonly loggedOut: string
  readonly signInAgain: string
}

const en: Texts = {
  languageName: 'English',
  privacy: 'Privacy',
  terms: 'Terms',
  signInTitle: 'Sign in',
  signInTo: 'Sign in to {company}',
  email: 'Email address',
  password: 'Password',
  signIn: 'Sign in',
  incorrect: 'Incorrect email address or password',
  lockedOneMinute: 'Too many failed attempts. Try again in 1 minute.',
  locked: 'Too many failed attempts. Try again in {minutes} minutes.',
  busy: 'Many people are signing in right now. Try again in a few seconds.',
  chooseTitle: 'Choose an account',
  chooseIntro: 'This email address has more than one account. Which one do you want to use?',
  continue: 'Continue',
  errorTitle: 'This did not work',
  errors: {
    expired: 'This sign-in page is too old or was already used. Go back to the start and sign in again.',
    unknownClient: 'The application that sent you here is not known to this service. Nothing was passed on to it.',
    unknownAddress:
      'The application wants you back at an address that is not registered for it. Nothing was passed on to it.',
    refused: 'The form did not come from this page and was not accepted. Go back to the start and sign in again.',
    invalidRequest: 'The application that sent you here made a request that cannot be answered.',
    unexpected: 'Something went wrong on our side. Try again; contact support if it persists.',
  },
  reference: 'Reference for support: {id}',
  backToStart: 'Back to the start',
  loggedOutTitle: 'You are now logged out',
  loggedOut: 'You are signed out of all applications on this browser.',
  signInAgain: 'Sign in again',
}

const nl: Texts = {
  languageName: 'Nederlands',
  privacy: 'Privacy',
  terms: 'Voorwaarden',
  signInTitle: 'Inloggen',
  signInTo: 'Inloggen bij {company}',
  email: 'E-mailadres',
  password: 'Wachtwoord',
  signIn: 'Inloggen',
  incorrect: 'Onjuist e-mailadres of wachtwoord',
  lockedOneMinute: 'Te veel mislukte pogingen. Probeer het over 1 minuut opnieuw.',
  locked: 'Te veel mislukte pogingen. Probeer het over {minutes} minuten opnieuw.',
  busy: 'Er loggen nu veel mensen in. Probeer het over een paar seconden opnieuw.',
  chooseTitle: 'Kies een account',
  chooseIntro: 'Dit e-mailadres heeft meer dan één account. Welk account wilt u gebruiken?',
  continue: 'Verder',
  errorTitle: 'Dit is niet gelukt',
  errors: {
    expired: 'Deze inlogpagina is verlopen of al gebruikt. Ga terug naar het begin en log opnieuw in.',
    unknownClient: 'De toepassing waar u vandaan komt is hier niet bekend. Er is niets aan doorgegeven.',
    unknownAddress:
      'De toepassing wil dat u terugkomt op een adres dat er niet voor is geregistreerd. Er is niets aan doorgegeven.',
    refused:
      'Het formulier kwam niet van deze pagina en is niet geaccepteerd. Ga terug naar het begin en log opnieuw in.',
    invalidRequest: 'De toepassing waar u vandaan komt deed een verzoek dat niet kan worden beantwoord.',
    unexpected:
      'Er ging iets mis aan onze kant. Probeer het opnieuw; neem contact op met support als het blijft gebeuren.',
  },
  reference: 'Kenmerk voor support: {id}',
  backToStart: 'Terug naar het begin',
  loggedOutTitle: 'U bent nu uitgelogd',
  loggedOut: 'U bent in deze browser uit alle toepassingen uitgelogd.',
  signInAgain: 'Opnieuw inloggen',
}

export const texts: Readonly<Record<SignInLanguage, Texts>> = { en, nl }

export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
