import { Button, EmptyState } from '@sightline/kit'

/** What is left to say where the app could not even start: no configuration, no language, no shell. */
export function StartFailed({ text, error }: { text: string; error: string }) {
  return (
    <main className="flex min-h-dvh items-center justify-center">
      <EmptyState
        icon="warning"
        isPage
        title={text}
        action={<Button onClick={() => window.location.assign('/')}>Try again</Button>}
      >
        <code className="text-xs">{error}</code>
      </EmptyState>
    </main>
  )
}
