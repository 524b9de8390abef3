import type { SharedText } from '@sightline/client'
import de from '@sightline/client/locales/de.json' with { type: 'json' }
import en from '@sightline/client/locales/en.json' with { type: 'json' }
import es from '@sightline/client/locales/es.json' with { type: 'json' }
import ja from '@sightline/client/locales/ja.json' with { type: 'json' }
import nl from '@sightline/client/locales/nl.json' with { type: 'json' }
import pl from '@sightline/client/locales/pl.json' with { type: 'json' }
import pt from '@sightline/client/locales/pt.json' with { type: 'json' }
import tr from '@sightline/client/locales/tr.json' with { type: 'json' }
import type { FirstPaint, FirstPaints } from '@sightline/contract/first-paint'
import type { SignInLanguage } from '@sightline/contract/sign-in-pages'
import { CookieBanner, KitTextProvider, ScreenSkeleton, ShellSkeleton } from '@sightline/kit'
import { CookieWords } from '@sightline/shell/cookie-words'
import { renderToStaticMarkup } from 'react-dom/server'

/** The texts of all applications, by their English form. */
const texts: Readonly<Record<SignInLanguage, Readonly<Record<SharedText, string>>>> = {
  de,
  en,
  es,
  ja,
  nl,
  pl,
  pt,
  tr,
}

const nothing = (): void => undefined

/** Uses the components of the application, so that nothing moves when it takes over. */
function Forms({ language, theme, hasCookieNotice }: FirstPaint) {
  const t = (text: SharedText): string => texts[language][text]
  return (
    <KitTextProvider translate={(text) => (text in texts[language] ? t(text as SharedText) : text)}>
      <ShellSkeleton brand={theme}>
        <ScreenSkeleton />
      </ShellSkeleton>
      {hasCookieNotice ? (
        <div inert>
          <CookieBanner label={t('Cookies')} onClose={nothing}>
            <CookieWords t={t} theme={theme} />
          </CookieBanner>
        </div>
      ) : null}
    </KitTextProvider>
  )
}

/** What the server renders for an application that hasn't loaded yet. */
export const firstPaints: FirstPaints = {
  ofForms: (paint) => renderToStaticMarkup(<Forms {...paint} />),
}
