import { ApiFailure, type LaterText, type SharedText } from '@sightline/client'
import { type Agreement, acceptAgreement, getAgreement } from '@sightline/contract/agreements'
import { Button, Dialog, TickBox } from '@sightline/kit'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { useApplication } from '../application.ts'
import { useTranslation } from '../translation.tsx'

const queryKey = ['users/self/agreement']

const points = {
  isAdult: 'I am 18 years of age or over.',
  isInUsOrCanada: 'I live in, and use this service in, the United States or Canada only.',
  watchesNoChildren: 'I do not use this service to monitor children under 16.',
} as const satisfies Record<string, LaterText>
type Point = keyof typeof points
const named = Object.keys(points) as readonly Point[]

/** The three statements and the button, which is enabled when all are checked. */
function Asking({ version }: { readonly version: string }) {
  const t = useTranslation<LaterText | SharedText>()
  const { client, config, queries, session, snackBar } = useApplication()
  const [said, setSaid] = useState<ReadonlySet<Point>>(new Set())
  const [busy, setBusy] = useState(false)
  const id = useId()
  const say = (point: Point, isSaid: boolean) =>
    setSaid(new Set(named.filter((each) => (each === point ? isSaid : said.has(each)))))
  const accept = async () => {
    setBusy(true)
    const body = { version, isAdult: true, isInUsOrCanada: true, watchesNoChildren: true } as const
    await client.call(acceptAgreement, { body }).catch((failure: unknown) => {
      if (!(failure instanceof ApiFailure)) throw failure
      if (!failure.sessionEnded) snackBar.error(t.message(failure.message))
    })
    // Calls that were rejected before now succeed.
    await queries.invalidateQueries()
    setBusy(false)
  }
  return (
    <Dialog
      open
      title={t('Before you continue')}
      footer={
        <>
          <Button variant="secondary" onClick={() => void session.signOut()}>
            {t('Sign out')}
          </Button>
          <Button busy={busy} disabled={said.size < named.length} onClick={() => void accept()}>
            {t('Accept')}
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        <p>
          {t(
            "To continue, accept the {company} subscription agreement (version {version}). We'll ask you again only if it changes.",
            { company: config.theme.companyName, version },
          )}{' '}
          <a href="/subscriptionagreement" target="_blank" rel="noopener" className="text-link-underline">
            {t('Read the agreement')}
          </a>
        </p>
        {named.map((point) => (
          <label
            key={point}
            htmlFor={`${id}-${point}`}
            className="flex min-h-9 items-center gap-3 py-1 pointer-coarse:min-h-11"
          >
            <TickBox id={`${id}-${point}`} checked={said.has(point)} onChange={(isSaid) => say(point, isSaid)} />
            {t(points[point])}
          </label>
        ))}
      </div>
    </Dialog>
  )
}

/** Asks the user to accept the current version of the brand's agreement. */
export function AgreementDialog() {
  const { client, languages } = useApplication()
  const [hasWords, setHasWords] = useState(false)
  useEffect(() => {
    // If this language can't be loaded, the dialog is in English, because it must appear.
    languages
      .complete()
      .catch(() => undefined)
      .finally(() => setHasWords(true))
  }, [languages])
  const { data } = useQuery<Agreement>({
    queryKey,
    queryFn: ({ signal }) => client.call(getAgreement, {}, { signal }),
    // Acceptance of an earlier version doesn't count for this one.
    staleTime: 0,
  })
  const version = data?.asked === true ? data.version : null
  return version === null || !hasWords ? null : <Asking version={version} />
}
