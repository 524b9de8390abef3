import { type ReactNode, useId } from 'react'
import { SwitchRow } from './SwitchRow.tsx'

interface SwitchProps {
  label: ReactNode
  /** What it changes. */
  description?: ReactNode
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** On or off, at once. */
export function Switch(props: SwitchProps) {
  const id = useId()
  return <SwitchRow id={id} {...props} />
}
