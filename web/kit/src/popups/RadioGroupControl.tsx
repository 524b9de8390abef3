import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import type { RadioGroupProps } from '../radio-option.ts'

interface ControlProps<Value extends string> extends RadioGroupProps<Value> {
  labelId: string
  classes: { readonly option: string; readonly circle: string }
}

/** A {@link RadioGroup} as soon as Base UI is there. */
export function RadioGroupControl<Value extends string>(props: ControlProps<Value>) {
  const { labelId, classes, options, value, disabled = false, onChange } = props
  return (
    <RadioGroup
      aria-labelledby={labelId}
      value={value}
      disabled={disabled}
      onValueChange={onChange}
      className="grid gap-2 sm:grid-cols-2"
    >
      {options.map((option) => (
        // biome-ignore lint/a11y/noLabelWithoutControl: Radio.Root brings its input.
        <label key={option.value} className={classes.option}>
          <Radio.Root
            value={option.value}
            className={`${classes.circle} transition-colors hover:border-text data-checked:border-control data-checked:bg-control`}
          >
            <Radio.Indicator className="size-1.5 rounded-full bg-on-control" />
          </Radio.Root>
          {option.label}
        </label>
      ))}
    </RadioGroup>
  )
}
