import { number, time } from '../locales/chinese-measures.ts'
import type { PromptStrings } from './prompt-strings.ts'

/** The strings of prompts in Chinese (simplified). */
export const chinesePrompts: PromptStrings = {
  card: {
    label: '应用需要你的回答',
    origin: '这是应用在询问，而非智能体',
    position: (index, of) => `第 ${number(index)} 个，共 ${number(of)} 个`,
    previous: '上一个问题',
    next: '下一个问题',
    timeLeft: (ms) => `剩余 ${time(ms)}`,
    timeOver: '时间已到，正在等待智能体。',
    onExpiry: { default: '之后智能体将采用默认值。', cancel: '之后将被取消。' },
    decline: '拒绝',
    cancel: '取消',
    sending: '正在发送你的回答…',
    staged: '已回答。其他问题也回答后将一并发送。',
    unconfirmed: '不确定你的回答是否已送达。可以放心重新发送：只会计一次。',
    sendAgain: '重新发送',
    refused: '智能体未接受这个回答。',
    notSent: '你的回答未发送。',
    notLoaded: '无法显示这个问题。',
    tryAgain: '重试',
  },
  dock: {
    label: '需要你回答的问题',
    title: (count, title) => `(${number(count)}) ${title}`,
    count: (count) => `有 ${number(count)} 个问题需要你回答`,
    ended: { 'answered-elsewhere': '已在别处回答', expired: '回答时间已过', withdrawn: '问题已撤回' },
  },
  trace: {
    open: '等待你的回答',
    chosen: (option) => `你选择了“${option}”`,
    allowedOnce: (name) => `你允许了 ${name} 一次`,
    allowedAlways: (name) => `你允许了 ${name}，今后也允许`,
    rejected: (name) => `你未允许 ${name}`,
    submitted: '你提交了表单',
    edited: '有修改',
    signedIn: '你已登录',
    answered: '你已回答',
    states: {
      staged: '已回答，尚未发送',
      sending: '正在发送你的回答…',
      unconfirmed: '不确定你的回答是否已送达',
      declined: '你已拒绝',
      cancelled: '你已取消',
      expired: '已过期，未回答',
      'answered-elsewhere': '已在别处回答',
      withdrawn: '已撤回，未回答',
    },
  },
}
