import { type FromFrame, PORT_MESSAGE, type ToFrame, readFromFrame } from "../protocol";

/** The parent's end of the line to one game frame. */
export type HostPort = { send: (message: ToFrame) => void; close: () => void };

/**
 * Opens a line to the frame. The page listens to no window messages at all: only the window of this
 * very iframe is handed the port, so nobody else can speak on it. The target origin must be "*"
 * because a sandboxed frame has an opaque origin; the message carries nothing but the port.
 */
export function openPort(
  frame: HTMLIFrameElement,
  onMessage: (message: FromFrame) => void,
): HostPort {
  const target = frame.contentWindow;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }: MessageEvent) => {
    const message = readFromFrame(data);
    if (message && frame.isConnected && frame.contentWindow === target) onMessage(message);
  };
  target?.postMessage({ type: PORT_MESSAGE }, "*", [port2]);
  return {
    send: (message) => port1.postMessage(message),
    close: () => {
      port1.onmessage = null;
      port1.close();
    },
  };
}
