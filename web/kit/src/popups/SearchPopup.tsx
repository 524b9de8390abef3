import { Combobox } from '@base-ui/react/combobox'
import { useEffect, useMemo, useState } from 'react'
import { inputClass } from '../Field.tsx'
import { Icon } from '../Icon.tsx'
import { useKitText } from '../kit-text.tsx'
import { type Option, searchOptions } from '../option-search.ts'
import type { PopupProps } from '../use-popup.ts'
import { findLandmark, LoadedEarlier, PopupFrame, placement, popupClass, rowClass } from './PopupFrame.tsx'

interface SearchPopupProps extends Omit<PopupProps, 'isByKeyboard'> {
  id: string
  label: string
  placeholder: string | undefined
  chosen: Option | null
  /** The text that opened it. */
  begun: string
  load: () => Promise<readonly Option[]>
  onChoose: (value: string) => void
}

/** How many entries to draw at first and near the end of the list; a list of 400 is built in steps. */
const STEP = 80

/** The matching options that are drawn. */
function useFound({ load, chosen, begun }: SearchPopupProps) {
  // If loading fails, it shows no results; the next opening tries again.
  const [loading] = useState(() => load().catch((): readonly Option[] => []))
  const [all, setAll] = useState<readonly Option[]>()
  const [query, setQuery] = useState(begun)
  const [drawn, setDrawn] = useState(STEP)
  const found = useMemo(() => searchOptions(all ?? [], query), [all, query])
  useEffect(() => {
    let isClosed = false
    void loading.then((list) => {
      if (!isClosed) setAll(list)
    })
    return () => {
      isClosed = true
    }
  }, [loading])
  // Draws at least up to the selected option, which is scrolled into view.
  const least = query === '' ? STEP + found.findIndex(({ value }) => value === chosen?.value) : STEP
  const count = Math.max(drawn, least)
  return {
    isLoaded: all !== undefined,
    query,
    shown: found.slice(0, count),
    search(text: string) {
      setQuery(text)
      setDrawn(STEP)
    },
    approach(index: number) {
      if (index > count - STEP / 4 && count < found.length) setDrawn(count + STEP)
    },
  }
}

function Row({ option }: { option: Option }) {
  return (
    <Combobox.Item value={option} className={`${rowClass} group data-selected:font-medium`}>
      <span dir="auto" className="grow truncate rtl:text-right">
        {option.label}
      </span>
      {option.hint === undefined ? null : (
        <span dir="auto" className="shrink-0 text-xs text-muted tabular-nums">
          {option.hint}
        </span>
      )}
      <Icon name="check" size={18} className="invisible text-link group-data-selected:visible" />
    </Combobox.Item>
  )
}

/** The open search of a {@link SearchSelect}: the text field and its results. */
export function SearchPopup(props: SearchPopupProps) {
  const { id, label, placeholder, chosen, trigger, onChoose, onClose } = props
  const text = useKitText()
  const { isLoaded, query, shown, search, approach } = useFound(props)
  return (
    <PopupFrame>
      <Combobox.Root<Option>
        id={id}
        open
        autoHighlight
        items={shown}
        filter={null}
        value={chosen}
        itemToStringLabel={(option) => option.label}
        isItemEqualToValue={(a, b) => a.value === b.value}
        inputValue={query}
        onInputValueChange={(typed, { reason }) => {
          if (reason === 'input-change') search(typed)
        }}
        onItemHighlighted={(_, { index }) => approach(index)}
        onValueChange={(option) => {
          if (option !== null) onChoose(option.value)
        }}
        onOpenChange={onClose}
      >
        <Combobox.Trigger render={<LoadedEarlier button={trigger} />} />
        <Combobox.Portal container={findLandmark(trigger)}>
          <Combobox.Positioner {...placement}>
            <Combobox.Popup
              id={`${id}-popup`}
              aria-label={label}
              className={`${popupClass} flex max-h-[min(var(--available-height),24rem)] w-(--anchor-width) min-w-64 flex-col overflow-hidden`}
            >
              <div className="relative p-1.5">
                <span className="pointer-events-none absolute inset-y-0 start-4.5 flex items-center text-muted">
                  <Icon name="search" size={18} />
                </span>
                <Combobox.Input
                  aria-label={placeholder ?? label}
                  placeholder={placeholder}
                  autoComplete="off"
                  spellCheck={false}
                  className={`${inputClass} ps-10`}
                />
              </div>
              <Combobox.Empty className="px-4.5 pb-3 text-muted empty:hidden">
                {text(isLoaded ? 'Nothing found' : 'Loading')}
              </Combobox.Empty>
              <Combobox.List
                aria-label={label}
                aria-busy={!isLoaded}
                onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
                  if (scrollTop + clientHeight > scrollHeight - 200) approach(shown.length)
                }}
                className="overflow-y-auto overscroll-contain px-1.5 pb-1.5 outline-none empty:hidden"
              >
                {(option: Option) => <Row key={option.value} option={option} />}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
    </PopupFrame>
  )
}
