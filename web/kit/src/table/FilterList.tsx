import { CheckList, type CheckListProps } from '../CheckList.tsx'
import { FilterPopup } from './FilterPopup.tsx'

interface FilterListProps extends Omit<CheckListProps, 'hideLabel'> {
  /** The button's text for a number of checked options: `3 users`. */
  summary: (count: number) => string
}

/** A filter with many choices in a searchable checklist. With none checked, everything is shown. */
export function FilterList({ summary, ...list }: FilterListProps) {
  const [only] = list.chosen
  const one = list.chosen.size === 1 ? list.options.find((option) => option.value === only)?.label : undefined
  const said = list.chosen.size === 0 ? undefined : (one ?? summary(list.chosen.size))
  return (
    <FilterPopup label={list.label} summary={said}>
      <CheckList {...list} hideLabel />
    </FilterPopup>
  )
}
