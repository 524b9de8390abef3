import type { AuditLog } from '@sightline/contract/audit-logs'
import { Card, Skeleton, SkeletonGroup } from '@sightline/kit'
import { Loaded, type Translation, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { ChangeList } from './ChangeList.tsx'
import { useMoment } from './moments.ts'
import { supportQueries } from './support-queries.ts'
import { type SupportText, useSupportText } from './text.ts'

const deeds: Readonly<Record<string, SupportText>> = {
  postSupportToken: 'Started a support session',
  live: 'Watched live video',
  play: 'Watched recordings',
  watched: 'Finished watching recordings',
  snapshot: 'Viewed a snapshot',
  eventPicture: 'Viewed the picture of an event',
  recordedPicture: 'Viewed a recorded picture',
  patchCamera: 'Changed a camera',
  patchZone: 'Changed a zone',
  postZone: 'Added a zone',
  deleteZone: 'Deleted a zone',
  patchPerson: 'Changed a user',
  patchPersonDetails: 'Changed a user',
  patchAccountUser: 'Changed a user',
  patchUserDetails: 'Changed user details',
  patchTimeZone: 'Changed the time zone',
  patchNotificationSetting: 'Changed notifications',
  patchSubscription: 'Changed the subscription',
  patchResellerAccount: 'Changed the account',
  patchAccountStatus: 'Changed the account',
  addAccount: 'Created the account',
  moveAccount: 'Moved the account',
}

/** The action in words; for actions without a text, see the audit log. */
const deedOf = (action: string, t: Translation<SupportText>): string => t(deeds[action] ?? 'Other activity')

/** Support sessions and their actions, newest first. */
export function HistoryCard() {
  const { client } = useApplication()
  const t = useSupportText()
  const asked = useQuery(supportQueries(client).lines)
  return (
    <Card
      title={t('Support activity')}
      description={t("Everything your provider's staff does in your account is in the audit log.")}
      {...((asked.data?.length ?? 0) > 0
        ? {
            footer: (
              <a href="/app/audit-log?support=true" className="font-medium text-link underline">
                {t('View full audit log')}
              </a>
            ),
          }
        : {})}
    >
      <Loaded asked={[asked]} place={<Loading />}>
        {(lines) => <Lines lines={lines} />}
      </Loaded>
    </Card>
  )
}

const Loading = () => (
  <SkeletonGroup className="space-y-3">
    <Skeleton className="h-5 w-full" />
    <Skeleton className="h-5 w-2/3" />
  </SkeletonGroup>
)

function Lines({ lines }: { lines: readonly AuditLog[] }) {
  const t = useSupportText()
  const moment = useMoment()
  if (lines.length === 0) return <p className="text-muted">{t('No support activity in your account yet.')}</p>
  return (
    <ol className="divide-y divide-border">
      {lines.map((line) => (
        <li key={line.auditLogId} className="flex flex-wrap justify-between gap-x-4 py-2.5 first:pt-0 last:pb-0">
          <div className="min-w-0 wrap-anywhere">
            <p>
              <span className="font-medium">{deedOf(line.action, t)}</span>
              {(line.target?.name ?? null) === null ? null : `: ${line.target?.name}`}
            </p>
            <ChangeList line={line} />
            <p className="text-muted">{line.staff?.name ?? line.user ?? t('Staff')}</p>
          </div>
          <time dateTime={line.time} dir="auto" className="text-muted tabular-nums">
            {moment(line.time)}
          </time>
        </li>
      ))}
    </ol>
  )
}
