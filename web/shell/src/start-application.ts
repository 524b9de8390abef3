import {
  clientId,
  isSignedInElsewhere,
  type LanguageChoice,
  loadConfig,
  nextTask,
  startLanguages,
  takeCallback,
} from '@sightline/client'
import { firstPartyClients } from '@sightline/contract/runtime-config'
import { type Application, type ApplicationName, createApplication, openSession } from './create-application.ts'
import { paintedNotice } from './painted-notice.ts'
import { showChosenScheme } from './scheme.ts'
import { createTranslation } from './translate.ts'

/** The element that an application renders into. */
export interface MountPoint {
  readonly element: HTMLElement
  /** The server put a first paint there (web/first-paint). */
  readonly hasFirstPaint: boolean
  /** Resolves when the data of the first screen has loaded. */
  readonly prepared?: Promise<unknown> | undefined
}

/** Why an application couldn't start, in words for the user except for `error`. */
export interface StartFailure {
  readonly title: string
  readonly again: string
  readonly error: string
  /** The address of the button to try again. */
  readonly home: string
}

/** How an application renders itself; created by `viewOf`. */
export interface View {
  show(place: MountPoint, application: Application): Promise<void>
  fail(place: MountPoint, failure: StartFailure): void
}

export interface ApplicationSettings {
  readonly name: ApplicationName
  readonly languages: readonly LanguageChoice[]
  /** Its screens with their code, which load while the user is identified. */
  readonly load: () => Promise<{ readonly view: View }>
  /**
   * Requests the data of the first screen while the screen loads. A first paint stays until the promise resolves. Called
   * only for a signed-in user with a first paint.
   */
  readonly prepare?: (application: Application) => Promise<unknown>
}

/** The application, or the reason why the sign-in failed. */
async function begin(
  settings: ApplicationSettings,
  arrived: ReturnType<typeof takeCallback>,
): Promise<Application | StartFailure> {
  const { name } = settings
  const [config, languages] = await Promise.all([loadConfig(), startLanguages(settings.languages)])
  document.title = config.title
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (icon !== null && config.theme.favicon !== null) icon.href = config.theme.favicon

  const session = openSession(name, config)
  const started = await session.start(arrived)
  clientId(document, config.clientIds[name], { path: '/', secure: window.location.protocol === 'https:' })
  if (started.kind === 'refused') {
    const t = createTranslation(languages.i18n)
    const home = firstPartyClients[name].redirectPath
    return { title: t("Couldn't sign you in."), again: t('Try again'), error: started.error, home }
  }
  const returnTo = started.kind === 'signedIn' ? started.returnTo : undefined
  // The page that opened this window for a sign-in waits for it. If the browser keeps the window open, the application
  // opens in it.
  if (isSignedInElsewhere(returnTo)) window.close()
  if (returnTo !== undefined) window.history.replaceState(null, '', returnTo)
  return createApplication({ name, config, session, languages, justSignedIn: returnTo !== undefined })
}

/** Shown if even the rendering code failed to load. */
function failPlainly(element: HTMLElement, { title, again, error, home }: StartFailure): void {
  const heading = document.createElement('h1')
  heading.textContent = title
  const link = Object.assign(document.createElement('a'), { href: home, textContent: again })
  paintedNotice()?.remove()
  element.replaceChildren(heading, error, document.createElement('br'), link)
  heading.tabIndex = -1
  heading.focus()
}

function prepareFirstScreen(
  { prepare }: ApplicationSettings,
  application: Application,
  { hasFirstPaint }: MountPoint,
): Promise<unknown> | undefined {
  if (!hasFirstPaint || application.session.token() === undefined) return undefined
  return prepare?.(application)
}

/** Starts an application in the element `#root` of its page, or shows why it can't start. */
export function startApplication(settings: ApplicationSettings): void {
  const element = document.getElementById('root')
  if (element === null) throw new Error('index.html has no element #root')
  const place: MountPoint = { element, hasFirstPaint: element.hasChildNodes() }
  // This comes before any request: no request, report or history entry may contain a code or a token.
  const arrived = takeCallback()
  showChosenScheme()
  // One after another, so that each runs only briefly. The browser downloads both from the start.
  const coming = import('react-dom/client').then(nextTask).then(settings.load)
  const start = async () => {
    const application = await begin(settings, arrived)
    if ('error' in application) return (await coming).view.fail(place, application)
    await nextTask()
    const prepared = prepareFirstScreen(settings, application, place)
    const { view } = await coming
    await nextTask()
    await view.show({ ...place, prepared }, application)
  }
  start().catch(async (cause: unknown) => {
    // The language may be unknown, so this is in English.
    const home = firstPartyClients[settings.name].redirectPath
    const failure = { title: 'The application could not be started.', again: 'Try again', error: String(cause), home }
    const view = await coming.then(
      (module) => module.view,
      () => undefined,
    )
    if (view === undefined) failPlainly(element, failure)
    else view.fail(place, failure)
  })
}
