import { failureOf, networkFailure } from "@/lib/api/error";

export type Uploaded = { url: string; bytes: number; kind: string };

/** Sends a file; only this way of asking tells how far it is. */
export function upload(file: File, onProgress: (part: number) => void): Promise<Uploaded> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/office/api/files?${new URLSearchParams({ name: file.name })}`);
    request.setRequestHeader("X-Office-Page", "1");
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(networkFailure());
    request.onload = () => {
      const answer = request.response as { value?: Uploaded } | null;
      if (request.status < 300 && answer?.value) resolve(answer.value);
      else reject(failureOf(request.status, answer));
    };
    request.send(file);
  });
}
