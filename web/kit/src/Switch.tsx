import { type ReactNode, useId } from 'react'
import { SwitchRow } from './SwitchRow.tsx'

interface SwitchProps {
  label: ReactNode
  /** What the switch changes. */
  description?: ReactNode
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** A switch that takes effect immediately. */
export function Switch(props: SwitchProps) {
  const id = useId()
  return <SwitchRow id={id} {...props} />
}
