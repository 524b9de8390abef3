import { choiceCookies } from '@sightline/contract/first-paint'
import type { RuntimeConfig } from '@sightline/contract/runtime-config'
import { Card, ScreenTitle } from '@sightline/kit'
import { useApplication, usePageTitle, useTranslation } from '@sightline/shell'
import { Fragment, lazy, Suspense } from 'react'
import type { Text } from '../text.ts'
import type english from './locales/en.json'

/** Texts of this page, which load with it. */
type PolicyText = keyof typeof english | Text

const StatisticsCard = lazy(() =>
  import('../third-party-scripts/index.ts').then((module) => ({ default: module.StatisticsCard })),
)

interface Kept {
  readonly name: string
  readonly what: PolicyText
  readonly howLong: PolicyText
}

/** Stored only if the operator collects statistics and the user allowed it. */
const ofStatistics: Kept = { name: 'statistics', what: 'Remembers that you allowed statistics.', howLong: '1 year' }

const cookies = ({ appId, 'tag-manager': tags }: RuntimeConfig): readonly Kept[] => [
  {
    name: `${appId}.token`,
    what: 'Keeps you signed in to this app.',
    howLong: 'Until you sign out, up to 24 hours',
  },
  { name: `${appId}.client`, what: 'Tells browsers apart in our logs with a short random number.', howLong: '1 year' },
  { name: 'sightline.app', what: 'Remembers which app this browser signed in to.', howLong: '1 year' },
  { name: choiceCookies.cookieBanner, what: 'Remembers that you closed the cookie notice.', howLong: '1 year' },
  { name: choiceCookies.language, what: 'Remembers your language.', howLong: '1 year' },
  { name: choiceCookies.scheme, what: 'Remembers your choice of light or dark mode.', howLong: '1 year' },
  { name: choiceCookies.sideMenu, what: 'Remembers whether you collapsed the side menu.', howLong: '1 year' },
  ...(tags.enabled ? [ofStatistics] : []),
  { name: 'sightline.interaction', what: 'Used while you sign in.', howLong: '1 hour' },
  {
    name: 'sightline.sign-in',
    what: 'Keeps you signed in to our other apps.',
    howLong: 'Until you sign out',
  },
]

const storage: readonly Kept[] = [
  { name: 'sound', what: 'Remembers your sound and volume settings.', howLong: 'Until you clear it' },
]

/** Allows a line break after each dot. */
function CookieName({ name }: { name: string }) {
  const [first, ...parts] = name.split('.')
  return (
    <>
      {first}
      {parts.map((part) => (
        <Fragment key={part}>
          .<wbr />
          {part}
        </Fragment>
      ))}
    </>
  )
}

function KeptTable({ rows, caption }: { rows: readonly Kept[]; caption: string }) {
  const t = useTranslation<PolicyText>()
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-start">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-border text-muted">
            {(['Name', 'Purpose', 'Duration'] as const).map((head) => (
              <th key={head} scope="col" className="py-2 pe-4 text-start font-medium">
                {t(head)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name} className="border-b border-border align-top last:border-0">
              <td className="py-3 pe-4 font-mono text-xs leading-5 sm:whitespace-nowrap">
                <CookieName name={row.name} />
              </td>
              <td className="py-3 pe-4">{t(row.what)}</td>
              <td className="py-3 text-muted">{t(row.howLong)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The cookie policy: everything that this service stores in a browser. */
export function CookiePolicy() {
  const t = useTranslation<PolicyText>()
  const { config } = useApplication()
  const counts = config['tag-manager'].enabled
  usePageTitle(t('Cookies'))
  return (
    <div className="max-w-3xl space-y-6">
      <ScreenTitle title={t('Cookies')}>
        {t(
          counts
            ? 'Cookies are small text files that a website stores in your browser. {company} uses the cookies that this service needs, and others only if you allow them.'
            : 'Cookies are small text files that a website stores in your browser. {company} uses only the cookies that this service needs.',
          {
            company: config.theme.companyName,
          },
        )}
      </ScreenTitle>
      <Card title={t('Cookies we set')} description={t("We don't use them for advertising or share them with others.")}>
        <KeptTable rows={cookies(config)} caption={t('Cookies we set')} />
      </Card>
      <Card title={t('Other data stored in your browser')}>
        <KeptTable rows={storage} caption={t('Other data stored in your browser')} />
      </Card>
      {counts ? (
        <Suspense fallback={null}>
          <StatisticsCard />
        </Suspense>
      ) : null}
      <Card title={t('Your choices')}>
        {t(
          "You can delete cookies in your browser settings at any time. You'll then be signed out, and your language and appearance settings will be reset.",
        )}
      </Card>
    </div>
  )
}
