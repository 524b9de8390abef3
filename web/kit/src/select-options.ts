import { Children, isValidElement, type ReactNode } from 'react'

/** One entry of a short list. */
export interface SelectOption {
  readonly value: string
  readonly label: string
  readonly disabled: boolean
}

interface OptionProps {
  readonly value?: string | number
  readonly disabled?: boolean
  readonly children?: ReactNode
}

const textOf = (node: ReactNode): string =>
  Children.toArray(node)
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join('')

/** The `<option>`s among `children`, including those in fragments and groups. */
export function selectOptions(children: ReactNode): readonly SelectOption[] {
  return Children.toArray(children).flatMap((child): readonly SelectOption[] => {
    if (!isValidElement<OptionProps>(child)) return []
    const { value, disabled = false, children: inside } = child.props
    if (child.type !== 'option') return selectOptions(inside)
    const label = textOf(inside)
    return [{ value: value === undefined ? label : String(value), label, disabled }]
  })
}
