import { number, time } from '../dictionary/english-measures.ts'
import type { PromptStrings } from './prompt-strings.ts'

/** The strings of prompts in English. */
export const englishPrompts: PromptStrings = {
  card: {
    label: 'The app asks for your answer',
    origin: 'This app is asking, not the agent',
    position: (index, of) => `${number(index)} of ${number(of)}`,
    previous: 'Previous question',
    next: 'Next question',
    timeLeft: (ms) => `${time(ms)} left`,
    timeOver: 'Time is over. Waiting for the agent.',
    onExpiry: { default: 'After that, the agent uses its default.', cancel: 'After that, it is cancelled.' },
    decline: 'Decline',
    cancel: 'Cancel',
    sending: 'Sending your answer…',
    staged: 'Answered. It is sent when the other questions are answered.',
    unconfirmed: 'It is not known whether your answer arrived. Sending it again is safe: it counts once.',
    sendAgain: 'Send again',
    refused: 'The agent did not accept this answer.',
    notSent: 'Your answer was not sent.',
    notLoaded: 'This question could not be shown.',
    tryAgain: 'Try again',
  },
  dock: {
    label: 'Questions for you',
    title: (count, title) => `(${number(count)}) ${title}`,
    count: (count) => `${number(count)} questions for you`,
    ended: {
      'answered-elsewhere': 'Answered elsewhere',
      expired: 'The time for an answer is over',
      withdrawn: 'The question was withdrawn',
    },
  },
  trace: {
    open: 'Waiting for your answer',
    chosen: (option) => `You chose “${option}”`,
    allowedOnce: (name) => `You allowed ${name} once`,
    allowedAlways: (name) => `You allowed ${name} from now on`,
    rejected: (name) => `You did not allow ${name}`,
    submitted: 'You sent the form',
    edited: 'with changes',
    signedIn: 'You signed in',
    answered: 'You answered',
    states: {
      staged: 'Answered, not sent yet',
      sending: 'Sending your answer…',
      unconfirmed: 'Not known whether your answer arrived',
      declined: 'You declined',
      cancelled: 'You cancelled',
      expired: 'Expired without an answer',
      'answered-elsewhere': 'Answered elsewhere',
      withdrawn: 'Withdrawn without an answer',
    },
  },
}
