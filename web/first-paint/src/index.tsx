import screenTexts from 'virtual:screen-texts'
import type { SharedText } from '@sightline/client'
import de from '@sightline/client/locales/de.json' with { type: 'json' }
import en from '@sightline/client/locales/en.json' with { type: 'json' }
import es from '@sightline/client/locales/es.json' with { type: 'json' }
import ja from '@sightline/client/locales/ja.json' with { type: 'json' }
import nl from '@sightline/client/locales/nl.json' with { type: 'json' }
import pl from '@sightline/client/locales/pl.json' with { type: 'json' }
import pt from '@sightline/client/locales/pt.json' with { type: 'json' }
import tr from '@sightline/client/locales/tr.json' with { type: 'json' }
import type { FirstPaint, FirstPaints, SideMenuChoice } from '@sightline/contract/first-paint'
import type { SignInLanguage } from '@sightline/contract/sign-in-pages'
import {
  BackLink,
  CardSkeleton,
  CookieBanner,
  KitTextProvider,
  ScreenSkeleton,
  ScreenTitle,
  SearchSkeleton,
  ShellSkeleton,
  SideMenuSkeleton,
  Skeleton,
  SkeletonGroup,
  TableSkeleton,
  TilesSkeleton,
} from '@sightline/kit'
import { CookieWords } from '@sightline/shell/cookie-words'
import { ScreenWidth } from '@sightline/shell/screen-width'
import type { ReactNode } from 'react'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { findScreen, nameScreen, type PaintedScreen, UNKNOWN } from './screens.ts'

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

const bodies: Readonly<Record<Exclude<PaintedScreen['body'], 'camera'>, ReactNode>> = {
  form: <CardSkeleton />,
  table: <TableSkeleton />,
  tiles: <TilesSkeleton />,
}

interface ScreenProps {
  screen: PaintedScreen
  t: (text: string) => string
}

function Title({ screen: { title, description, body }, t }: ScreenProps) {
  if (title === undefined) return null
  return (
    <ScreenTitle title={t(title)} {...(body === 'tiles' ? { actions: <SearchSkeleton /> } : {})}>
      {description === undefined ? undefined : t(description)}
    </ScreenTitle>
  )
}

/** The content area of a screen until its data is known. */
function Screen({ screen, t }: ScreenProps) {
  const { title, back, body } = screen
  if (body === 'camera') {
    return (
      <SkeletonGroup isPage>
        <Skeleton className="mt-12 aspect-video max-h-[70dvh] w-full rounded-lg" />
      </SkeletonGroup>
    )
  }
  return (
    <>
      {back === undefined ? null : (
        <div inert>
          <BackLink href="#">{t(back)}</BackLink>
        </div>
      )}
      <ScreenSkeleton className="" {...(title === undefined ? {} : { title: <Title screen={screen} t={t} /> })}>
        {bodies[body]}
      </ScreenSkeleton>
    </>
  )
}

/** The width of the screen, as in the application. */
function Place({
  app,
  body,
  children,
}: Pick<FirstPaint, 'app'> & Pick<PaintedScreen, 'body'> & { children: ReactNode }) {
  if (!isWide(app)) return <div className="max-w-3xl">{children}</div>
  if (body === 'camera') return children
  if (body === 'tiles') return <div className="mx-auto max-w-[110rem]">{children}</div>
  return <ScreenWidth width={body}>{children}</ScreenWidth>
}

const isWide = (app: FirstPaint['app']): boolean => app !== 'accountPortal'

const sideMenuOf = (choice: SideMenuChoice | undefined): ReactNode =>
  choice === undefined ? <SideMenuSkeleton /> : <SideMenuSkeleton choice={choice} />

/** Uses the components of the application, so that nothing moves when it takes over. */
function Page({ app, screen: name, language, theme, sideMenu }: FirstPaint) {
  const screen = findScreen(app, name)
  return (
    <ShellSkeleton brand={theme} {...(isWide(app) ? { wide: { sideMenu: sideMenuOf(sideMenu) } } : {})}>
      <Place app={app} body={screen.body}>
        <Screen screen={screen} t={(text) => screenTexts[app][language][text] ?? text} />
      </Place>
    </ShellSkeleton>
  )
}

/** The same elements as the shell's `CookieNotice`, which continues them. */
const Notice = ({ app, language, theme }: FirstPaint) => (
  <CookieBanner label={texts[language].Cookies} isWide={isWide(app)} onClose={nothing}>
    <CookieWords t={(text) => texts[language][text]} theme={theme} />
  </CookieBanner>
)

const translated = ({ language }: FirstPaint, children: ReactNode) => (
  <KitTextProvider translate={(text) => (text in texts[language] ? texts[language][text as SharedText] : text)}>
    {children}
  </KitTextProvider>
)

/** What the server renders for an application that hasn't loaded yet. */
export const firstPaints: FirstPaints = {
  nameScreen,
  unknownScreen: UNKNOWN,
  render: (paint) => ({
    content: renderToStaticMarkup(translated(paint, <Page {...paint} />)),
    // With React's marks between texts, so that it can continue.
    cookieNotice: paint.hasCookieNotice ? renderToString(translated(paint, <Notice {...paint} />)) : undefined,
  }),
}
