import type { SignIn } from '@sightline/contract/sign-in-history'
import { Badge, Button, Card, EmptyState, type Mood, Skeleton, SkeletonGroup } from '@sightline/kit'
import { Loaded, useApplication } from '@sightline/shell'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMoment } from '../support-access/index.ts'
import { sessionQueries } from './session-queries.ts'
import { type SessionsText, useSessionsText } from './text.ts'
import { useWords } from './words.ts'

const outcomes: Readonly<Record<SignIn['outcome'], { readonly text: SessionsText; readonly mood: Mood }>> = {
  signedIn: { text: 'Signed in', mood: 'success' },
  wrongPassword: { text: 'Wrong password', mood: 'warning' },
  wrongCode: { text: 'Wrong code', mood: 'warning' },
  wrongPasskey: { text: 'Passkey rejected', mood: 'warning' },
  locked: { text: 'Too many attempts', mood: 'danger' },
}

const methods: Readonly<Record<SignIn['method'], SessionsText>> = {
  password: 'With password',
  passwordAndCode: 'With password and code',
  passkey: 'With passkey',
  visit: 'As a guest, without a password',
}

/** Successful and failed sign-ins of this user, newest first. */
export function HistoryCard() {
  const { client } = useApplication()
  const t = useSessionsText()
  const asked = useInfiniteQuery(sessionQueries(client).signIns)
  return (
    <Card
      title={t('Sign-in history')}
      description={t('Successful and failed sign-ins in the last 90 days.')}
      {...(asked.hasNextPage
        ? {
            footer: (
              <Button variant="secondary" busy={asked.isFetchingNextPage} onClick={() => void asked.fetchNextPage()}>
                {t('Show more')}
              </Button>
            ),
          }
        : {})}
    >
      <Loaded asked={[asked]} place={<Loading />} failure={t("Couldn't load your sign-in history")}>
        {({ pages }) => <Lines lines={pages.flatMap((page) => page.rows)} />}
      </Loaded>
    </Card>
  )
}

const Loading = () => (
  <SkeletonGroup className="space-y-4">
    <Skeleton className="h-10 w-full" />
    <Skeleton className="h-10 w-full" />
    <Skeleton className="h-10 w-2/3" />
  </SkeletonGroup>
)

function Lines({ lines }: { lines: readonly SignIn[] }) {
  const t = useSessionsText()
  if (lines.length === 0) return <EmptyState icon="list" title={t('No sign-ins yet')} />
  return (
    <ol className="divide-y divide-border">
      {lines.map((line) => (
        <Line key={line.signInId} line={line} />
      ))}
    </ol>
  )
}

function Line({ line }: { line: SignIn }) {
  const t = useSessionsText()
  const moment = useMoment()
  const { titleOf, placeOf, clientOf } = useWords()
  const { text, mood } = outcomes[line.outcome]
  const client = clientOf(line)
  const method = line.outcome === 'signedIn' ? t(methods[line.method]) : ''
  const isElsewhere = line.address === null && line.outcome !== 'signedIn'
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Badge mood={mood}>{t(text)}</Badge>
          <span className="font-medium wrap-anywhere">
            {isElsewhere ? t('From many other locations') : titleOf(line)}
          </span>
          {line.tries > 1 ? <span className="text-muted">{t('{count} times', { count: line.tries })}</span> : null}
        </p>
        {isElsewhere ? null : (
          <p className="mt-1 text-muted wrap-anywhere">
            <bdi>{[client ?? '', placeOf(line), method].filter((text) => text !== '').join(' · ')}</bdi>
          </p>
        )}
      </div>
      <time dateTime={line.time} dir="auto" className="text-muted tabular-nums">
        {moment(line.time)}
      </time>
    </li>
  )
}
