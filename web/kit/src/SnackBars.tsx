import { useSyncExternalStore } from 'react'
import { announcements } from './announcements.ts'
import { Icon, type IconName } from './Icon.tsx'
import { useKitText } from './kit-text.tsx'
import type { Snack, SnackBar } from './snack-bar.ts'

const looks: Record<Snack['kind'], { colour: string; icon: IconName }> = {
  success: { colour: 'bg-primary text-on-primary border-primary-edge', icon: 'success' },
  info: { colour: 'bg-raised text-text border-border', icon: 'info' },
  error: { colour: 'bg-danger text-on-danger border-danger', icon: 'warning' },
}

/** Shows the messages of a {@link SnackBar} below the header, where they cover no form's buttons, and holds the texts for screen readers alone. All live regions exist from the start, so that screen readers announce the messages. */
export function SnackBars({ bar }: { bar: SnackBar }) {
  const snacks = useSyncExternalStore(bar.subscribe, bar.current)
  const spoken = useSyncExternalStore(announcements.subscribe, announcements.current)
  const text = useKitText()
  const draw = (snack: Snack) => (
    <li
      key={snack.id}
      className={`pointer-events-auto flex w-full animate-rise items-start gap-3 rounded-md border py-3 ps-4 pe-2 shadow-popup sm:w-auto sm:max-w-lg sm:min-w-80 ${looks[snack.kind].colour}`}
    >
      <Icon name={looks[snack.kind].icon} />
      <p className="grow">{snack.text}</p>
      <button
        type="button"
        aria-label={text('Close')}
        onClick={() => bar.close(snack.id)}
        className="-my-2 inline-flex size-9 shrink-0 items-center justify-center rounded-md focus-visible:outline-current pointer-coarse:-my-3 pointer-coarse:size-11"
      >
        <Icon name="close" size={18} />
      </button>
    </li>
  )
  return (
    <section
      data-over-dialogs
      aria-label={text('Notifications')}
      className="pointer-events-none fixed inset-x-0 top-15 z-60 flex flex-col items-center gap-2 p-4 sm:items-end"
    >
      <ul aria-live="assertive" className="contents">
        {snacks.filter((snack) => snack.kind === 'error').map(draw)}
      </ul>
      <ul aria-live="polite" className="contents">
        {snacks.filter((snack) => snack.kind !== 'error').map(draw)}
      </ul>
      <div role="status" aria-atomic="false" className="sr-only">
        {spoken.map(({ id, text: said }) => (
          <p key={id}>{said}</p>
        ))}
      </div>
    </section>
  )
}
