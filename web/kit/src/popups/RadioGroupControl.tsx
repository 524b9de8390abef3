import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { useId } from 'react'
import { hasDescriptions, type RadioGroupProps } from '../radio-option.ts'

interface ControlProps<Value extends string> extends RadioGroupProps<Value> {
  labelId: string
  classes: Readonly<Record<'option' | 'described' | 'circle' | 'grid' | 'list', string>>
}

/** A {@link RadioGroup} as soon as Base UI is there. */
export function RadioGroupControl<Value extends string>(props: ControlProps<Value>) {
  const id = useId()
  const { labelId, classes, options, value, disabled = false, onChange } = props
  return (
    <RadioGroup
      aria-labelledby={labelId}
      value={value}
      disabled={disabled}
      onValueChange={onChange}
      className={hasDescriptions(options) ? classes.list : classes.grid}
    >
      {options.map((option) => (
        // biome-ignore lint/a11y/noLabelWithoutControl: Radio.Root brings its input.
        <label
          key={option.value}
          className={`${classes.option} ${option.description === undefined ? '' : classes.described}`}
        >
          <Radio.Root
            value={option.value}
            className={`${classes.circle} transition-colors hover:border-text data-checked:border-control data-checked:bg-control`}
            {...(option.description === undefined
              ? {}
              : {
                  'aria-labelledby': `${id}-${option.value}`,
                  'aria-describedby': `${id}-${option.value}-about`,
                })}
          >
            <Radio.Indicator className="size-1.5 rounded-full bg-on-control" />
          </Radio.Root>
          {option.description === undefined ? (
            option.label
          ) : (
            <span className="-mt-px">
              <span id={`${id}-${option.value}`} className="block font-medium">
                {option.label}
              </span>
              <span id={`${id}-${option.value}-about`} className="block text-muted">
                {option.description}
              </span>
            </span>
          )}
        </label>
      ))}
    </RadioGroup>
  )
}
