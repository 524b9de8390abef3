/** The meaning of the colors of a badge, notice or banner. */
export type Mood = 'neutral' | 'brand' | 'success' | 'warning' | 'danger'

/** The classes of each. */
export const moodClass: Record<Mood, string> = {
  neutral: 'bg-sunken text-text',
  brand: 'bg-tint text-link',
  success: 'bg-success-tint text-success-text',
  warning: 'bg-warning-tint text-warning-text',
  danger: 'bg-danger-tint text-danger-text',
}
