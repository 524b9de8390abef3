import { Icon, type IconName } from '@sightline/kit'
import type { ReactNode } from 'react'

export interface StageTool {
  readonly icon: IconName
  readonly label: string
  readonly pressed?: boolean
  /** Only for keyboards. */
  readonly forKeyboard?: boolean
  readonly onPress: () => void
}

/** The style of a button over the picture. */
export const stageToolClass =
  'inline-flex size-9 items-center justify-center rounded-sm text-white hover:bg-white/20 focus-visible:outline-white aria-pressed:bg-white/25 pointer-coarse:size-11'

/** Buttons over the picture. They look the same in every brand, because pictures can have any color. */
export function StageTools({
  tools,
  isOver,
  children,
}: {
  tools: readonly StageTool[]
  /** Over the picture; else below the pictures, whose tiles have bars of their own. */
  isOver: boolean
  children: ReactNode
}) {
  return (
    <div
      className={
        isOver
          ? 'absolute end-2 bottom-2 flex gap-1 rounded-md bg-black/70 p-0.5 short:top-9 short:bottom-auto short:z-10'
          : 'flex w-fit'
      }
    >
      {children}
      {tools.map(({ icon, label, pressed, forKeyboard = false, onPress }) => (
        <button
          key={label}
          type="button"
          title={label}
          aria-label={label}
          aria-pressed={pressed}
          onClick={onPress}
          className={`${stageToolClass} ${forKeyboard ? 'pointer-coarse:hidden' : ''}`}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  )
}
