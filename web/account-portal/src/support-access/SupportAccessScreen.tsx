import { getAuditLogs } from '@sightline/contract/audit-logs'
import { getMemberDenyReason, type Rule } from '@sightline/contract/rights'
import { patchSupportAccess, type SupportAccess } from '@sightline/contract/support-access'
import { getSupportSessions } from '@sightline/contract/support-sessions'
import { Card, Notice, ScreenTitle, Skeleton, SkeletonGroup } from '@sightline/kit'
import { Loaded, useApplication, usePageTitle } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useAccount } from '../shell/AccountFirst.tsx'
import { AccessCard } from './AccessCard.tsx'
import { HistoryCard } from './HistoryCard.tsx'
import { InsideCard } from './InsideCard.tsx'
import { supportQueries } from './support-queries.ts'
import { type SupportText, useSupportText } from './text.ts'

/** A user who may close the account to support may not always open it. */
const opening: Rule = { ...patchSupportAccess, endsAccess: false }

/** Why support access can't be changed, in one sentence. */
const standstills: Readonly<Record<string, SupportText>> = {
  demoUser: "You're signed in as a demo user. You can see everything, but you can't change anything.",
  support: "During a support session, you can't change support access.",
  owner: 'Only the account owner can change support access.',
}

function Loading() {
  return (
    <SkeletonGroup>
      <Card>
        <Skeleton className="h-5 w-48" />
        <Skeleton className="mt-2 h-4 w-72 max-w-full" />
        <Skeleton className="mt-6 h-12 w-full" />
        <div className="mt-6 grid gap-5 sm:grid-cols-2">
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-10 w-full" />
        </div>
      </Card>
    </SkeletonGroup>
  )
}

function Contact() {
  const t = useSupportText()
  const { config } = useApplication()
  return (
    <Card title={t('How support access works')}>
      <div className="max-w-prose space-y-3">
        <p>
          {t(
            'Support access lets {company} support help you remotely. They see your settings and lists as you do and can change them for you.',
            {
              company: config.theme.companyName,
            },
          )}
        </p>
        <p className="text-muted">
          {t(
            "They can't see or change your password, sign-in settings or support access, and they can't export, share or delete recordings. Everything they do is logged.",
          )}
        </p>
      </div>
    </Card>
  )
}

function Cards({ access }: { access: SupportAccess }) {
  const t = useSupportText()
  const { member } = useAccount()
  const may = (rule: Rule) => getMemberDenyReason(rule, member) === undefined
  const denyReason = getMemberDenyReason(opening, member)
  const why = standstills[denyReason?.check ?? '']
  const seesSessions = may(getSupportSessions)
  return (
    <div className="space-y-6">
      {why === undefined ? null : <Notice>{t(why)}</Notice>}
      <AccessCard
        // After saving, a chosen duration is a point in time, so the form starts again from the saved value.
        key={`${access.allowsHelpdeskExpirationDate} ${access.allowsHelpdeskShowVideo}`}
        access={access}
        mayOpen={denyReason === undefined}
        mayClose={may(patchSupportAccess)}
        seesSessions={seesSessions}
      />
      <Contact />
      {seesSessions ? <InsideCard /> : null}
      {may(getAuditLogs) ? <HistoryCard /> : null}
    </div>
  )
}

/** Who has support access, the active sessions, and what they did (specification §2 "Support screen"). */
export function SupportAccessScreen() {
  const t = useSupportText()
  const { client } = useApplication()
  usePageTitle(t('Support'))
  return (
    <div className="max-w-3xl">
      <ScreenTitle title={t('Support')}>
        {t('Give support access to your account when you need help, and see what they did.')}
      </ScreenTitle>
      <Loaded asked={[useQuery(supportQueries(client).access)]} place={<Loading />}>
        {(access) => <Cards access={access} />}
      </Loaded>
    </div>
  )
}
