/** A progress bar; without `value` (0-1) it only shows that work is in progress. */
export function ProgressBar({ value, label }: { value?: number; label: string }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value === undefined ? undefined : Math.round(value * 100)}
      className="relative h-1.5 w-full overflow-hidden rounded-full bg-sunken"
    >
      <div
        className={`absolute inset-y-0 rounded-full bg-control ${value === undefined ? 'w-1/3 animate-slide' : 'start-0 transition-[width]'}`}
        style={value === undefined ? undefined : { width: `${value * 100}%` }}
      />
    </div>
  )
}
