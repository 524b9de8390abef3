import type { SharedText } from '@sightline/client'
import type { FirstPaint, FirstPaints } from '@sightline/contract/first-paint'
import { CookieBanner, KitTextProvider, ScreenSkeleton, ShellSkeleton } from '@sightline/kit'
import { CookieWords } from '@sightline/shell/cookie-words'
import { renderToStaticMarkup } from 'react-dom/server'
import { texts } from './texts.ts'

const nothing = (): void => undefined

/** Drawn with the parts that the application draws with, so that nothing moves when it takes over. */
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

/** What an application shows before it is loaded, rendered by the server. */
export const firstPaints: FirstPaints = {
  ofForms: (paint) => renderToStaticMarkup(<Forms {...paint} />),
}
