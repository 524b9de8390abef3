import type { ConsentScope, ErrorPage, FirstRunField, SignInLanguage } from '@sightline/contract/sign-in-pages'

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
  readonly consent: {
    readonly title: string
    readonly wants: string
    readonly signedInAs: string
    readonly scopes: Readonly<Record<ConsentScope, string>>
    readonly bounds: string
    readonly allow: string
    readonly refuse: string
  }
  readonly firstRun: {
    readonly title: string
    readonly intro: string
    readonly labels: Readonly<Record<FirstRunField, string>>
    readonly companyHint: string
    readonly passwordHint: string
    readonly create: string
    /** Above the fields after a try that did not fit. */
    readonly checkFields: string
    /** By the English text of the contract's rules. */
    readonly problems: Readonly<Record<string, string>>
  }
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
    locked: 'Too many failed attempts from your network. Try again in a quarter of an hour.',
    tooManyRequests:
      'A great many sign-ins are coming from your network. Wait a minute, then go back to the start and sign in again.',
    unexpected: 'Something went wrong on our side. Try again; contact support if it persists.',
  },
  reference: 'Reference for support: {id}',
  backToStart: 'Back to the start',
  loggedOutTitle: 'You are now logged out',
  loggedOut: 'You are signed out of all applications on this browser.',
  signInAgain: 'Sign in again',
  consent: {
    title: 'Allow access',
    wants: '{client} wants to:',
    signedInAs: 'You are signed in as {email}.',
    scopes: {
      openid: 'know who you are',
      read: 'see your cameras, footage and settings',
      write: 'change settings and control cameras for you',
    },
    bounds: 'It can never do more than you can. Either answer takes you to {place}.',
    allow: 'Allow',
    refuse: 'Do not allow',
  },
  firstRun: {
    title: 'Set up this installation',
    intro: 'You are the first person here. This creates your account; it works once.',
    labels: {
      company: 'Company or service',
      firstName: 'First name',
      lastName: 'Last name',
      email: 'Email address',
      password: 'Password',
      confirmation: 'Confirm password',
    },
    companyHint: 'Your account gets this name.',
    passwordHint: '8 to 32 characters',
    create: 'Create account',
    checkFields: 'Please correct what is marked and type the password again.',
    problems: {
      'Company name is required': 'Company name is required',
      'Please enter a valid Company name': 'Please enter a valid Company name',
      'First name is required': 'First name is required',
      'Last name is required': 'Last name is required',
      'Please enter a valid name': 'Please enter a valid name',
      'Please enter your email address': 'Please enter your email address',
      'Please enter a valid email address': 'Please enter a valid email address',
      'Password contains invalid characters': 'Password contains invalid characters',
      'Password should be 8-32 characters': 'Password should be 8-32 characters',
      'This password is too common': 'This password is too common',
      'Password does not match': 'Password does not match',
    },
  },
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
    locked: 'Te veel mislukte pogingen vanaf uw netwerk. Probeer het over een kwartier opnieuw.',
    tooManyRequests:
      'Er komen nu erg veel inlogverzoeken van uw netwerk. Wacht een minuut, ga terug naar het begin en log opnieuw in.',
    unexpected:
      'Er ging iets mis aan onze kant. Probeer het opnieuw; neem contact op met support als het blijft gebeuren.',
  },
  reference: 'Kenmerk voor support: {id}',
  backToStart: 'Terug naar het begin',
  loggedOutTitle: 'U bent nu uitgelogd',
  loggedOut: 'U bent in deze browser uit alle toepassingen uitgelogd.',
  signInAgain: 'Opnieuw inloggen',
  consent: {
    title: 'Toegang geven',
    wants: '{client} wil:',
    signedInAs: 'U bent ingelogd als {email}.',
    scopes: {
      openid: 'weten wie u bent',
      read: 'uw camera’s, beelden en instellingen zien',
      write: 'namens u instellingen wijzigen en camera’s bedienen',
    },
    bounds: 'Er kan nooit meer dan u zelf kunt. Met beide antwoorden gaat u naar {place}.',
    allow: 'Toestaan',
    refuse: 'Niet toestaan',
  },
  firstRun: {
    title: 'Deze installatie inrichten',
    intro: 'U bent hier de eerste. Hiermee maakt u uw account aan; dat kan één keer.',
    labels: {
      company: 'Bedrijf of dienst',
      firstName: 'Voornaam',
      lastName: 'Achternaam',
      email: 'E-mailadres',
      password: 'Wachtwoord',
      confirmation: 'Wachtwoord herhalen',
    },
    companyHint: 'Uw account krijgt deze naam.',
    passwordHint: '8 tot 32 tekens',
    create: 'Account aanmaken',
    checkFields: 'Verbeter wat is aangegeven en voer het wachtwoord opnieuw in.',
    problems: {
      'Company name is required': 'Bedrijfsnaam is verplicht',
      'Please enter a valid Company name': 'Voer een geldige bedrijfsnaam in',
      'First name is required': 'Voornaam is verplicht',
      'Last name is required': 'Achternaam is verplicht',
      'Please enter a valid name': 'Voer een geldige naam in',
      'Please enter your email address': 'Voer uw e-mailadres in',
      'Please enter a valid email address': 'Voer een geldig e-mailadres in',
      'Password contains invalid characters': 'Wachtwoord bevat ongeldige tekens',
      'Password should be 8-32 characters': 'Wachtwoord moet 8-32 tekens lang zijn',
      'This password is too common': 'Dit wachtwoord komt te vaak voor',
      'Password does not match': 'Wachtwoorden komen niet overeen',
    },
  },
}

export const texts: Readonly<Record<SignInLanguage, Texts>> = { en, nl }

export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
