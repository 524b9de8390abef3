import { Button, EmptyState, inputClass, Skeleton } from '@sightline/kit'
import { useEffect, useState } from 'react'
import { CallDetails } from './CallDetails.tsx'
import { type ApiCall, callsByTag, type Description } from './description.ts'

const DOCUMENT = '/rest/v2.4/openapi.json'

type State = { kind: 'loading' } | { kind: 'failed' } | { kind: 'loaded'; description: Description }

/** The REST API reference, rendered from the OpenAPI document that the API serves. */
export function ApiDocs() {
  const [state, setState] = useState<State>({ kind: 'loading' })
  const load = () => {
    setState({ kind: 'loading' })
    readDocument().then(
      (description) => setState({ kind: 'loaded', description }),
      () => setState({ kind: 'failed' }),
    )
  }
  useEffect(load, [])
  if (state.kind === 'loading') return <Loading />
  if (state.kind === 'failed') {
    return (
      <main className="mx-auto max-w-3xl p-6">
        <EmptyState
          icon="warning"
          title="Couldn’t load the API description"
          isPage
          action={<Button onClick={load}>Try again</Button>}
        >
          Check your connection and try again.
        </EmptyState>
      </main>
    )
  }
  return <Reference description={state.description} />
}

async function readDocument(): Promise<Description> {
  const reply = await fetch(DOCUMENT)
  if (!reply.ok) throw new Error(`${DOCUMENT} answered ${reply.status}`)
  return (await reply.json()) as Description
}

function Loading() {
  return (
    <main className="mx-auto flex max-w-5xl flex-col gap-4 p-6" aria-busy="true" aria-label="Loading">
      {['title', 'about', 'first', 'second', 'third', 'fourth'].map((line) => (
        <Skeleton key={line} className="h-12" />
      ))}
    </main>
  )
}

function Reference({ description }: { description: Description }) {
  const [search, setSearch] = useState('')
  const groups = callsByTag(description, search)
  const open = useOpenCall()
  return (
    <div className="mx-auto flex max-w-7xl flex-col gap-6 p-4 text-text lg:flex-row lg:p-8">
      <nav
        aria-label="Resources"
        className="lg:sticky lg:top-8 lg:max-h-[calc(100dvh-4rem)] lg:w-56 lg:overflow-y-auto"
      >
        <input
          type="search"
          aria-label="Search calls"
          placeholder="Search calls"
          className={inputClass}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <ul className="mt-3 hidden flex-col lg:flex">
          {groups.map(({ tag, calls }) => (
            <li key={tag.name}>
              <a
                href={`#tag-${tag.name}`}
                className="flex justify-between rounded-md px-2 py-1.5 text-sm hover:bg-tint"
              >
                {tag.name}
                <span className="text-muted">{calls.length}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main className="min-w-0 flex-1">
        <h1 className="font-semibold text-2xl">{description.info.title}</h1>
        <p className="mt-2 max-w-3xl text-muted">{description.info.description}</p>
        <p className="mt-2 text-sm">
          Version {description.info.version} ·{' '}
          <a className="text-link underline" href={DOCUMENT}>
            OpenAPI document
          </a>
        </p>
        {groups.length === 0 && <EmptyState icon="search" title={`No calls match “${search}”`} />}
        {groups.map(({ tag, calls }) => (
          <section key={tag.name} id={`tag-${tag.name}`} className="mt-8">
            <h2 className="font-semibold text-xl">{tag.name}</h2>
            <p className="mb-3 text-muted">{tag.description}</p>
            <div className="flex flex-col gap-2">
              {calls.map((call) => (
                <CallLine
                  key={call.operation.operationId}
                  {...{ call, description }}
                  isOpen={open === call.operation.operationId}
                />
              ))}
            </div>
          </section>
        ))}
      </main>
    </div>
  )
}

/** The call named after the # of the address, so that a link can open one call. */
function useOpenCall(): string {
  const [name, setName] = useState(() => location.hash.slice(1))
  useEffect(() => {
    const follow = () => setName(location.hash.slice(1))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  useEffect(() => {
    if (name !== '') document.getElementById(name)?.scrollIntoView()
  }, [name])
  return name
}

const METHOD_COLORS: Readonly<Record<string, string>> = {
  GET: 'bg-tint text-link',
  DELETE: 'bg-danger-tint text-danger-text',
}
const CHANGE_COLOR = 'bg-success-tint text-success-text'

function CallLine({ call, description, isOpen }: { call: ApiCall; description: Description; isOpen: boolean }) {
  const { method, path, operation } = call
  const [wasOpened, setWasOpened] = useState(isOpen)
  return (
    <details
      id={operation.operationId}
      open={isOpen || undefined}
      onToggle={(event) => event.currentTarget.open && setWasOpened(true)}
      className="rounded-lg border border-border bg-surface"
    >
      <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
        <span
          className={`w-16 rounded-sm py-0.5 text-center font-semibold text-xs ${METHOD_COLORS[method] ?? CHANGE_COLOR}`}
        >
          {method}
        </span>
        <code className="wrap-anywhere min-w-0 text-sm">{path}</code>
        <span className="basis-full text-muted text-sm lg:basis-auto">{operation.summary}</span>
      </summary>
      {(isOpen || wasOpened) && <CallDetails {...{ call, description }} />}
    </details>
  )
}
