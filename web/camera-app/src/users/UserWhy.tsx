import { type AccessExplanation, type CallExplanation, explainAccess } from '@sightline/contract/explanations'
import { Badge, Card, type Option, SearchSelect, Status } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRightWords } from '../rights/index.ts'
import { type Act, everydayActs } from './acts.ts'
import { personQueries } from './people-queries.ts'
import { displayName } from './person-marks.tsx'
import { Loaded, type Pair, usePair } from './person-page.tsx'
import { useText } from './text.ts'
import { ReachedCameras } from './UserCameras.tsx'
import { type AccessLabels, wordsOfStep } from './why-texts.ts'

function useWords(): AccessLabels {
  const t = useText()
  const rights = useRightWords()
  return { text: t, right: rights.name }
}

function Verdict({ allowed }: { allowed: boolean }) {
  const t = useText()
  return (
    <Badge mood={allowed ? 'success' : 'danger'} icon={allowed ? 'check' : 'close'}>
      {t(allowed ? 'Yes' : 'No')}
    </Badge>
  )
}

const allActs: readonly Act[] = everydayActs.flatMap(({ acts }) => acts)

/** The conditions that were checked; the last one decided. */
function Answer({ explanation }: { explanation: CallExplanation }) {
  const t = useText()
  const words = useWords()
  return (
    <Status className="mt-4 rounded-md bg-sunken px-4 py-3">
      <p className="flex items-center gap-3 font-medium">
        <Verdict allowed={explanation.allowed} />
        {t(explanation.allowed ? 'Allowed because every check passed:' : 'Not allowed because a check failed:')}
      </p>
      <ul className="mt-2 space-y-1">
        {explanation.steps
          .filter((step) => step.check !== 'scope' || !step.holds || explanation.steps.length === 1)
          .map((step) => (
            <li key={`${step.check} ${step.subject}`} className="flex items-start gap-2">
              <span aria-hidden="true">{step.holds ? '✓' : '✗'}</span>
              {wordsOfStep(step, words)}
            </li>
          ))}
      </ul>
    </Status>
  )
}

/** Asks whether a user may do something, with a camera if it concerns one. */
function Question({ pair: { person }, cameras }: { pair: Pair; cameras: AccessExplanation['cameras'] }) {
  const { client } = useApplication()
  const t = useText()
  const [operation, setOperation] = useState('live')
  const [cameraId, setCameraId] = useState('')
  const act = allActs.find((one) => one.operation === operation)
  const camera = act?.ofCamera === true ? cameras.find((one) => String(one.cameraId) === cameraId) : undefined
  const query = { operation, ...(camera === undefined ? {} : { cameraId: camera.cameraId }) }
  const { userId } = person
  const answer = useQuery({
    queryKey: ['users', userId, 'explain', query],
    queryFn: async ({ signal }) => {
      const explanation = await client.call(explainAccess, { params: { userId }, query }, { signal })
      if (explanation.kind !== 'call') throw new Error('a question about one call was answered about everything')
      return explanation
    },
    staleTime: 0,
  })
  const acts = (): readonly Option[] => allActs.map((one) => ({ value: one.operation, label: t(one.label) }))
  const choices = (): readonly Option[] => [
    { value: '', label: t('Any camera') },
    ...cameras.map((one) => ({ value: String(one.cameraId), label: one.name, hint: one.zoneName })),
  ]
  return (
    <Card title={t('Check what {name} can do', { name: displayName(person) })}>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SearchSelect
          label={t('Action')}
          value={operation}
          valueLabel={act === undefined ? '' : t(act.label)}
          options={acts}
          onChange={setOperation}
        />
        {act?.ofCamera === true ? (
          <SearchSelect
            label={t('Camera')}
            value={cameraId}
            valueLabel={camera?.name ?? t('Any camera')}
            options={choices}
            onChange={setCameraId}
          />
        ) : null}
      </div>
      <Loaded query={answer}>{(explanation) => <Answer explanation={explanation} />}</Loaded>
    </Card>
  )
}

interface LineProps {
  label: string
  /** The name of the call, in rows for developers. */
  call?: string
  found: AccessExplanation['operations'][number]
}

function Line({ label, call, found }: LineProps) {
  const words = useWords()
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 border-t border-border py-2.5 first:border-t-0 sm:grid-cols-[5fr_5rem_7fr]">
      <span className="font-medium wrap-anywhere">
        {label}
        {call === undefined ? null : <code className="block text-xs font-normal text-muted">{call}</code>}
      </span>
      <span>
        <Verdict allowed={found.allowed} />
      </span>
      <span className="col-span-2 text-muted sm:col-span-1">{wordsOfStep(found.step, words)}</span>
    </li>
  )
}

function Lines({ title, lines }: { title: string; lines: readonly LineProps[] }) {
  return (
    <ul aria-label={title}>
      {lines.map((line) => (
        <Line key={line.found.operation} {...line} />
      ))}
    </ul>
  )
}

/** Common actions in everyday words, followed by all calls for developers. */
function Matrix({ explanation }: { explanation: AccessExplanation }) {
  const t = useText()
  const byName = new Map(explanation.operations.map((found) => [found.operation, found]))
  const everyCall = explanation.operations.map((found) => ({ label: found.summary, call: found.operation, found }))
  return (
    <>
      {everydayActs.map(({ title, acts }) => (
        <Card key={title} className="mt-5" title={t(title)}>
          <Lines
            title={t(title)}
            lines={acts.flatMap(({ operation, label }) => {
              const found = byName.get(operation)
              return found === undefined ? [] : [{ label: t(label), found }]
            })}
          />
        </Card>
      ))}
      <Card className="mt-5" title={t('Camera access')}>
        <ReachedCameras cameras={explanation.cameras} />
      </Card>
      <details className="mt-5 rounded-lg border border-border bg-surface px-5 py-4 shadow-card sm:px-6">
        <summary className="cursor-pointer font-semibold">
          {t('All API calls ({count})', { count: everyCall.length })}
        </summary>
        <div lang="en" className="mt-3">
          <Lines title={t('All API calls')} lines={everyCall} />
        </div>
      </details>
    </>
  )
}

/** Conditions for everything: the account, the user, the profile. */
function Standing({ explanation }: { explanation: AccessExplanation }) {
  const t = useText()
  const { blocked, accountStatus, isSuperUser, userType, permissionProfile } = explanation
  return (
    <div className="mb-5 flex flex-wrap gap-2">
      <Badge mood={blocked ? 'danger' : 'success'}>{t(blocked ? 'Blocked' : 'Not blocked')}</Badge>
      <Badge mood={accountStatus === 'active' ? 'success' : 'danger'}>
        {t(accountStatus === 'active' ? 'The account is active.' : 'The account is not active.')}
      </Badge>
      {isSuperUser ? <Badge mood="brand">{t('Owner')}</Badge> : null}
      {userType === 'demo' ? <Badge mood="warning">{t('Demo user')}</Badge> : null}
      {permissionProfile === null ? null : <Badge>{t('Profile: {name}', { name: permissionProfile.name })}</Badge>}
    </div>
  )
}

function WhyOf({ pair }: { pair: Pair }) {
  const { client } = useApplication()
  const query = useQuery(personQueries(client, pair.person.userId).explanation)
  return (
    <Loaded query={query}>
      {(explanation) => (
        <>
          <Standing explanation={explanation} />
          <Question pair={pair} cameras={explanation.cameras} />
          <Matrix explanation={explanation} />
        </>
      )}
    </Loaded>
  )
}

/** What one user may do, and why. */
export function UserWhy() {
  const pair = usePair()
  return pair === undefined ? null : <WhyOf pair={pair} />
}
