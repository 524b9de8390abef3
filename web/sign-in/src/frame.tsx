import { THEME_STYLES_PATH } from '@sightline/contract/runtime-config'
import type { PageFrame } from '@sightline/contract/sign-in-pages'
import { type BrandTheme, paletteCss } from '@sightline/contract/theme'
import type { ReactNode } from 'react'
import styles from './sign-in.css?inline'
import { texts } from './texts.ts'

/**
 * The brand's logo. On dark backgrounds, the dark logo, or the light logo on a light plate. Without a logo, the name.
 */
function Logo({ theme }: { theme: BrandTheme }) {
  if (theme.logo === null) return <div className="brand">{theme.companyName}</div>
  const size = { width: theme.logoWidth, height: theme.logoHeight }
  const hasDark = theme.logoDark !== undefined
  return (
    <div className="brand">
      <span className={hasDark ? 'light paired' : 'light plate'}>
        <img src={theme.logo} alt={theme.companyName} {...size} />
      </span>
      {hasDark && (
        <span className="dark">
          <img src={theme.logoDark} alt={theme.companyName} {...size} />
        </span>
      )}
    </div>
  )
}

interface FrameProps {
  frame: PageFrame
  title: string
  /** The description for search engines. A page without it is not indexed. */
  description?: string
  children: ReactNode
}

/** A menu that works without script: the current language, and links to the others. */
function Languages({ frame: { language, otherLanguages } }: Pick<FrameProps, 'frame'>) {
  const links = [{ language, href: undefined }, ...otherLanguages].toSorted((one, other) =>
    one.language.localeCompare(other.language),
  )
  return (
    <details className="languages">
      <summary>{texts[language].languageName}</summary>
      <ul>
        {links.map((link) => (
          <li key={link.language}>
            {link.href === undefined ? (
              <span aria-current="true">{texts[link.language].languageName}</span>
            ) : (
              <a href={link.href} lang={link.language} hrefLang={link.language}>
                {texts[link.language].languageName}
              </a>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}

/**
 * A whole document: head, one inline style sheet with the brand's palette, content, languages and the brand's legal
 * links.
 */
export function Frame({ frame, title, description, children }: FrameProps) {
  const { theme, language } = frame
  const { links } = theme
  return (
    <html lang={language} dir="ltr">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {description === undefined ? (
          <meta name="robots" content="noindex" />
        ) : (
          <meta name="description" content={description} />
        )}
        <title>{`${title} - ${theme.companyName}`}</title>
        <link rel="icon" href={theme.favicon ?? 'data:,'} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: own style sheet and colours that brandTheme allows (#rrggbb) */}
        <style nonce={frame.nonce} dangerouslySetInnerHTML={{ __html: paletteCss(theme) + styles }} />
      </head>
      <body>
        <main>
          <Logo theme={theme} />
          {children}
        </main>
        <footer>
          {frame.otherLanguages.length === 0 ? null : <Languages frame={frame} />}
          {links.privacyPolicy !== undefined && <a href={links.privacyPolicy}>{texts[language].privacy}</a>}
          {links.terms !== undefined && <a href={links.terms}>{texts[language].terms}</a>}
        </footer>
        {/* The typeface, after everything that is drawn. */}
        <link rel="stylesheet" href={THEME_STYLES_PATH} nonce={frame.nonce} />
      </body>
    </html>
  )
}
