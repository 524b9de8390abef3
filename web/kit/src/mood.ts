/** What a badge, a notice or a banner says by its colours. */
export type Mood = 'neutral' | 'brand' | 'success' | 'warning' | 'danger'

/** The colours of each. */
export const moodClass: Record<Mood, string> = {
  neutral: 'bg-sunken text-text',
  brand: 'bg-tint text-link',
  success: 'bg-success-tint text-success-text',
  warning: 'bg-warning-tint text-warning-text',
  danger: 'bg-danger-tint text-danger-text',
}
