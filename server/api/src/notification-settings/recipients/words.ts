/** The text with the values in place of their names in braces. */
export const put = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (braces, name: string) => values[name] ?? braces)

/**
 * A camera's name in a form that email programs don't turn into a link: anyone who names a camera could send people
 * elsewhere.
 */
export const unlinked = (name: string): string => name.replaceAll(/[/:@]+/g, ' ').replaceAll(/\.(?=\S)/g, '. ')

/** Where a user changes what they are notified about. */
export const SETTINGS_PATH = '/statusnotification'
