import type { SharedText } from '@sightline/client'
import de from '@sightline/client/locales/de.json' with { type: 'json' }
import en from '@sightline/client/locales/en.json' with { type: 'json' }
import es from '@sightline/client/locales/es.json' with { type: 'json' }
import ja from '@sightline/client/locales/ja.json' with { type: 'json' }
import nl from '@sightline/client/locales/nl.json' with { type: 'json' }
import pl from '@sightline/client/locales/pl.json' with { type: 'json' }
import pt from '@sightline/client/locales/pt.json' with { type: 'json' }
import tr from '@sightline/client/locales/tr.json' with { type: 'json' }
import type { SignInLanguage } from '@sightline/contract/sign-in-pages'

/** What all applications say, by its English form. */
export const texts: Readonly<Record<SignInLanguage, Readonly<Record<SharedText, string>>>> = {
  de,
  en,
  es,
  ja,
  nl,
  pl,
  pt,
  tr,
}
