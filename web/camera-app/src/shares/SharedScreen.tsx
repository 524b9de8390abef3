import { openAccountShare, type SharedFootage } from '@sightline/contract/shares'
import {
  Button,
  buttonClass,
  Card,
  EmptyState,
  Notice,
  PasswordField,
  ProgressBar,
  Skeleton,
  SkeletonGroup,
} from '@sightline/kit'
import { LoadFailed, Screen, useApplication } from '@sightline/shell'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import { useText } from './text.ts'

const PREPARING_MS = 2000
const SECRET = /^#?([\w-]{22})$/

const codeOf = (error: unknown): number | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number'
    ? error.code
    : undefined

/** Footage that was shared with the people of this account. The link's secret is behind `#`. */
export function SharedScreen() {
  const t = useText()
  const { client } = useApplication()
  const [secret] = useState(() => SECRET.exec(window.location.hash)?.[1])
  const [password, setPassword] = useState<string>()
  const { data, error, refetch } = useQuery({
    queryKey: ['sharedFootage', secret, password],
    queryFn: ({ signal }) =>
      client.call(
        openAccountShare,
        { body: { secret: secret ?? '', ...(password !== undefined && { password }) } },
        { signal },
      ),
    enabled: secret !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // The form stays while a password is tried.
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.footage?.status === 'Preparing' ? PREPARING_MS : false),
  })
  const code = codeOf(error)
  // Rights are checked before the password, so a refusal without one is about them.
  const isForbidden = code === 9 && password === undefined
  const isRefused = (code === 9 && !isForbidden) || code === 16
  return (
    <Screen width="form" title={data?.footage?.name || data?.footage?.cameraName || t('Shared footage')}>
      {secret === undefined || code === 4 ? (
        <EmptyState icon="link" title={t('This link doesn’t work')}>
          {t('It has expired, was ended, or is for people of another account.')}
        </EmptyState>
      ) : null}
      {isForbidden ? (
        <EmptyState icon="lock" title={t('You can’t watch this footage')}>
          {t('Ask the account owner for access to the camera’s recordings and their sound.')}
        </EmptyState>
      ) : null}
      {error !== null && !isRefused && !isForbidden && code !== 4 ? (
        <LoadFailed error={error} reset={() => void refetch()} />
      ) : null}
      {data?.needsPassword === true || isRefused ? <AskPassword code={code} onPassword={setPassword} /> : null}
      {secret !== undefined && data === undefined && error === null ? (
        <SkeletonGroup>
          <Skeleton className="h-64 w-full" />
        </SkeletonGroup>
      ) : null}
      {data?.footage ? <Footage footage={data.footage} onGone={() => void refetch()} /> : null}
    </Screen>
  )
}

function AskPassword({ code, onPassword }: { code: number | undefined; onPassword: (password: string) => void }) {
  const t = useText()
  const [typed, setTyped] = useState('')
  const problems = {
    9: t('That password isn’t right.'),
    16: t('Too many tries. Wait a few minutes and try again.'),
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed !== '') onPassword(typed)
  }
  return (
    <Card>
      <form className="space-y-4" onSubmit={submit}>
        <PasswordField
          label={t('Password')}
          autoComplete="off"
          maxLength={128}
          value={typed}
          hint={t('The person who sent the link has the password.')}
          error={code === 9 || code === 16 ? problems[code] : undefined}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit">{t('Open')}</Button>
      </form>
    </Card>
  )
}

/** `onGone` opens the link again: its address has expired, or the link was ended. */
function Footage({ footage, onGone }: { footage: NonNullable<SharedFootage['footage']>; onGone: () => void }) {
  const t = useText()
  const [failures, setFailures] = useState(0)
  const { span, shortly } = useMoments()
  const { url, status, cameraName, from, till, expiresAt, name } = footage
  if (status === 'Failed') return <EmptyState icon="warning" title={t('The footage couldn’t be copied')} />
  if (url === null)
    return (
      <Card>
        <p className="mb-3">{t('Footage is being prepared')}</p>
        <ProgressBar label={t('Footage is being prepared')} value={footage.progress / 100} />
      </Card>
    )
  return (
    <Card>
      {/* biome-ignore lint/a11y/useMediaCaption: footage of a camera has no captions */}
      <video
        src={url}
        controls
        playsInline
        preload="metadata"
        aria-label={name === '' ? cameraName : name}
        className="max-h-[70vh] w-full rounded-md bg-black"
        onPlaying={() => setFailures(0)}
        onError={() => {
          setFailures(failures + 1)
          if (failures === 0) onGone()
        }}
      />
      {failures > 1 ? (
        <div className="mt-4">
          <Notice mood="danger">{t('This browser can’t play the video. Download it to watch it.')}</Notice>
        </div>
      ) : null}
      <p className="mt-4 text-muted">
        {cameraName} · {span(from, till)}
        <span className="block">{t('Expires {time}', { time: shortly(expiresAt) })}</span>
      </p>
      <a className={`${buttonClass('secondary')} mt-4`} href={`${url}&download=1`}>
        {t('Download')}
      </a>
    </Card>
  )
}
