/** What the stage takes from here, on demand. */
export { TalkButton } from './TalkButton.tsx'
