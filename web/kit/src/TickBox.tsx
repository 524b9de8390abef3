import { lazyModule, useLazyModule } from './lazy-module.ts'

export interface TickBoxProps {
  id: string
  /** What a screen reader says, where no text stands beside. */
  label?: string
  checked: boolean | 'some'
  disabled?: boolean
  onChange: (checked: boolean, withShift: boolean) => void
}

const tickBoxClass =
  'inline-flex size-4.5 shrink-0 items-center justify-center rounded-[0.25rem] border border-outline bg-surface'

const control = lazyModule(() => import('./popups/TickBoxControl.tsx'))

/**
 * The square that is ticked, or holds a dash where only some of many are; its label is around it. It is empty until its control
 * is loaded: a table shows its rows first.
 */
export function TickBox(props: TickBoxProps) {
  const Module = useLazyModule(control, true)
  return Module === undefined ? (
    <span className={tickBoxClass} />
  ) : (
    <Module.TickBoxControl {...props} className={tickBoxClass} />
  )
}
