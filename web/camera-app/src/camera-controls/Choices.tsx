export const panelButton =
  'inline-flex h-9 min-w-9 shrink-0 items-center justify-center rounded-md px-2 text-white hover:bg-white/20 focus-visible:outline-white disabled:opacity-50 aria-pressed:bg-white aria-pressed:text-black pointer-coarse:h-11 pointer-coarse:min-w-11'

interface ChoicesProps {
  readonly label: string
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  /** Null if nobody knows. */
  readonly value: string | null
  readonly busy: boolean
  readonly onChoose: (value: string) => void
}

/** A row of buttons, one of which is on. */
export function Choices({ label, choices, value, busy, onChoose }: ChoicesProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="px-1 text-xs text-white/80">{label}</legend>
      <div className="flex flex-wrap gap-1">
        {choices.map((choice) => (
          <button
            key={choice.value}
            type="button"
            aria-pressed={choice.value === value}
            disabled={busy}
            className={panelButton}
            onClick={() => onChoose(choice.value)}
          >
            {choice.label}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
